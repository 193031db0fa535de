// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of etcd's messages.

import FoundationEssentials

/// A number of 64 bits, which the gateway writes as text, and leaves out if it is 0.
struct EtcdNumber: Hashable, Codable {
  let value: Int

  init(_ value: Int) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      value = number
    } else {
      // The numbers of leases have all 64 bits.
      let text = try container.decode(String.self)
      value = Int(text) ?? Int(truncatingIfNeeded: UInt64(text) ?? 0)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(value)")
  }
}

struct EtcdHeader: Codable {
  let revision: EtcdNumber?
}

struct EtcdPair: Codable {
  let key: Data
  let value: Data?
  let mod_revision: EtcdNumber?
  let lease: EtcdNumber?
}

struct RangeRequest: Codable {
  let key: Data
  let range_end: Data?
  var limit: EtcdNumber?
  var revision: EtcdNumber?
  var sort_order: String?
  var sort_target: String?
}

struct RangeAnswer: Codable {
  let header: EtcdHeader?
  let kvs: [EtcdPair]?
  let more: Bool?
}

struct PutRequest: Codable {
  let key: Data
  let value: Data
  let lease: EtcdNumber?
}

struct DeleteRequest: Codable {
  let key: Data
}

struct EtcdTransaction: Codable {
  struct Comparison: Codable {
    let key: Data
    var target = "MOD"
    var result = "EQUAL"
    let mod_revision: EtcdNumber
  }

  struct Operation: Codable {
    let request_put: PutRequest
  }

  let compare: [Comparison]
  let success: [Operation]
}

struct TransactionAnswer: Codable {
  let succeeded: Bool?
}

struct LeaseGrant: Codable {
  let TTL: EtcdNumber
}

struct LeaseNumber: Codable {
  let ID: EtcdNumber
}

struct LeaseAnswer: Codable {
  let ID: EtcdNumber?
  let TTL: EtcdNumber?
  let error: String?
}

/// Streams have each message in a `result`.
struct Streamed<Message: Codable>: Codable {
  let result: Message?
  let error: EtcdFailure?
}

struct EmptyAnswer: Codable {}

struct Credentials: Codable {
  let name: String
  let password: String
}

struct TokenAnswer: Codable {
  let token: String?
}

struct WatchRequest: Codable {
  struct Creation: Codable {
    let key: Data
    let range_end: Data?
    let start_revision: EtcdNumber
    var progress_notify = true
  }

  let create_request: Creation
}

struct WatchAnswer: Codable {
  struct Change: Codable {
    /// `DELETE`; left out for what was written.
    let type: String?
    let kv: EtcdPair
  }

  let header: EtcdHeader?
  let created: Bool?
  let canceled: Bool?
  let compact_revision: EtcdNumber?
  let cancel_reason: String?
  let events: [Change]?
}

/// The error of the gateway, which has other names in a stream than elsewhere.
struct EtcdFailure: Codable {
  let code: Int?
  let grpc_code: Int?
  let message: String?
  let error: String?

  var number: Int { code ?? grpc_code ?? 0 }
  var text: String { message ?? error ?? "it does not say why" }
}

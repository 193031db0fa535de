// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingSystem

/// The documents of fleets in etcd, by its JSON gateway.
package final class EtcdBackend: FleetBackend {
  private static let pageSize = 500
  private let client: EtcdClient

  /// Takes the members' addresses; nothing is asked yet.
  package init(_ options: EtcdOptions) throws(FleetError) { client = try EtcdClient(options) }

  package var title: String { "etcd at \(client.options.endpoints.joined(separator: ","))" }

  package func range(_ prefix: String) throws(FleetError) -> FleetSnapshot {
    var entries: [FleetEntry] = []
    var (key, revision) = (Array(prefix.utf8), 0)
    let end = Self.end(of: prefix)
    // Page by page, all of one revision.
    while true {
      let answer = try client.send(
        "/v3/kv/range",
        RangeRequest(
          key: Data(key), range_end: end, limit: EtcdNumber(Self.pageSize),
          revision: revision == 0 ? nil : EtcdNumber(revision)),
        RangeAnswer.self)
      if revision == 0 { revision = answer.header?.revision?.value ?? 0 }
      let page = (answer.kvs ?? []).map { Self.entry($0) }
      entries += page
      guard answer.more == true, let last = page.last else { break }
      key = Array(last.key.utf8) + [0]
    }
    return FleetSnapshot(entries: entries, revision: revision)
  }

  package func newest(_ count: Int, of prefix: String) throws(FleetError) -> [FleetEntry] {
    // To etcd a limit of 0 is none.
    guard count > 0 else { return [] }
    let answer = try client.send(
      "/v3/kv/range",
      RangeRequest(
        key: Self.data(prefix), range_end: Self.end(of: prefix), limit: EtcdNumber(count),
        sort_order: "DESCEND", sort_target: "MOD"),
      RangeAnswer.self)
    return (answer.kvs ?? []).map { Self.entry($0) }
  }

  package func get(_ key: String) throws(FleetError) -> FleetEntry? {
    let answer = try client.send(
      "/v3/kv/range", RangeRequest(key: Self.data(key), range_end: nil), RangeAnswer.self)
    return answer.kvs?.first.map { Self.entry($0) }
  }

  package func put(
    _ key: String, _ value: [UInt8], lease: FleetLease?
  ) throws(FleetError) {
    _ = try client.send("/v3/kv/put", Self.put(key, value, lease), EmptyAnswer.self)
  }

  package func create(
    _ key: String, _ value: [UInt8], lease: FleetLease?
  ) throws(FleetError) -> Bool {
    try swap(key, revision: 0, [Self.put(key, value, lease)])
  }

  package func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8], with other: (key: String, value: [UInt8])?
  ) throws(FleetError) -> Bool {
    let also = other.map { [Self.put($0.key, $0.value, nil)] } ?? []
    return try swap(key, revision: revision, [Self.put(key, value, nil)] + also)
  }

  private func swap(_ key: String, revision: Int, _ puts: [PutRequest]) throws(FleetError) -> Bool {
    let transaction = EtcdTransaction(
      compare: [.init(key: Self.data(key), mod_revision: EtcdNumber(revision))],
      success: puts.map { .init(request_put: $0) })
    return try client.send("/v3/kv/txn", transaction, TransactionAnswer.self).succeeded == true
  }

  package func delete(_ key: String) throws(FleetError) {
    _ = try client.send("/v3/kv/deleterange", DeleteRequest(key: Self.data(key)), EmptyAnswer.self)
  }

  package func grantLease(seconds: Int) throws(FleetError) -> FleetLease {
    let answer = try client.send(
      "/v3/lease/grant", LeaseGrant(TTL: EtcdNumber(seconds)), LeaseAnswer.self)
    guard let id = answer.ID?.value else {
      throw FleetError(
        .unavailable, "etcd grants no lease: \(answer.error ?? "it says no number")",
        remedy: "check etcd's log")
    }
    return FleetLease(id: id, seconds: seconds)
  }

  package func keepAlive(_ lease: FleetLease) throws(FleetError) -> Bool {
    let answer = try client.send(
      "/v3/lease/keepalive", LeaseNumber(ID: EtcdNumber(lease.id)), Streamed<LeaseAnswer>.self)
    if let error = answer.error { throw .etcd(error) }
    return (answer.result?.TTL?.value ?? 0) > 0
  }

  package func revoke(_ lease: FleetLease) throws(FleetError) {
    _ = try client.send(
      "/v3/lease/revoke", LeaseNumber(ID: EtcdNumber(lease.id)), EmptyAnswer.self)
  }

  package func watch(
    _ prefix: String, from revision: Int
  ) throws(FleetError) -> any FleetWatch {
    try EtcdWatch(client, prefix: Self.data(prefix), end: Self.end(of: prefix), from: revision)
  }

  static func entry(_ pair: EtcdPair) -> FleetEntry {
    FleetEntry(
      key: String(decoding: pair.key, as: UTF8.self), value: pair.value.map(Array.init) ?? [],
      revision: pair.mod_revision?.value ?? 0, isLeased: (pair.lease?.value ?? 0) != 0)
  }

  private static func data(_ text: String) -> Data { Data(text.utf8) }

  private static func put(_ key: String, _ value: [UInt8], _ lease: FleetLease?) -> PutRequest {
    PutRequest(key: data(key), value: Data(value), lease: lease.map { EtcdNumber($0.id) })
  }

  /// The first key after all keys that begin with a text, which is not empty and does not end in
  /// 0xFF.
  private static func end(of prefix: String) -> Data {
    var bytes = Array(prefix.utf8)
    bytes[bytes.count - 1] += 1
    return Data(bytes)
  }
}

// SPDX-License-Identifier: MIT

/// What a daemon answers. On the wire: `{"result": "list", "list": […]}`.
package enum ControlResponse: Sendable {
  /// What was asked for, and its word on the wire.
  case success(any Encodable & Sendable, result: String)
  /// The request was not carried out.
  case failure(ControlFailure)

  static let refused = "failure"
}

extension ControlResponse: Encodable {
  /// Writes the form on the wire.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    switch self {
    case .success(let payload, let result):
      try container.encode(result, forKey: .result)
      try container.encode(payload, forKey: WireKey(result))
    case .failure(let failure):
      try container.encode(Self.refused, forKey: .result)
      try container.encode(failure, forKey: WireKey(Self.refused))
    }
  }
}

/// A field of a message.
struct WireKey: CodingKey {
  static let `protocol` = WireKey("protocol")
  static let verb = WireKey("verb")
  static let result = WireKey("result")

  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A request on its way to a daemon: `{"protocol": 1, "verb": "revert", "name": "fees"}`.
struct SentRequest<Request: ControlRequest>: Encodable {
  let request: Request

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WireKey.self)
    try container.encode(ControlProtocol.version, forKey: .protocol)
    try container.encode(Request.verb, forKey: .verb)
    if Request.isNested {
      try container.encode(request, forKey: WireKey(Request.verb))
    } else {
      try request.encode(to: encoder)
    }
  }
}

/// The response to a request, as its client reads it.
struct ReceivedResponse<Request: ControlRequest>: Decodable {
  let response: Result<Request.Response, ControlFailure>

  /// - Throws: ``ControlError`` if it is the response to something else.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: WireKey.self)
    let result = try container.decode(String.self, forKey: .result)
    switch result {
    case Request.result:
      response = .success(try container.decode(Request.Response.self, forKey: WireKey(result)))
    case ControlResponse.refused:
      response = .failure(try container.decode(ControlFailure.self, forKey: WireKey(result)))
    default:
      throw ControlError(
        .protocolViolation,
        message: "the daemon's answer does not fit the request '\(Request.verb)'",
        remedy: "check that the tool and the daemon are of the same version")
    }
  }
}

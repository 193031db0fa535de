// SPDX-License-Identifier: MIT

import Foundation

/// An answer; its body is JSON.
struct HTTPResponse {
  let status: HTTPStatus
  let body: [UInt8]
  private var fields: [(name: String, value: String)] = []

  /// - Throws: What `content` throws when it is encoded.
  init(_ status: HTTPStatus = .ok, content: some Encodable) throws {
    self.init(status, json: try Self.encoder().encode(content))
  }

  /// The answer to a request that went wrong.
  init(_ error: HTTPError) {
    self.init(error.status, message: error.message)
    if case .methodNotAllowed(_, let allowed) = error {
      fields.append((name: "Allow", value: allowed.map(\.name).joined(separator: ", ")))
    }
  }

  /// The answer to a request that the server could not deal with.
  static func internalError() -> HTTPResponse {
    HTTPResponse(.internalServerError, message: "something went wrong here")
  }

  private init(_ status: HTTPStatus, message: String) {
    // Two strings always encode.
    let json = try? Self.encoder().encode(["error": message])
    self.init(status, json: json ?? Data())
  }

  private init(_ status: HTTPStatus, json: Data) {
    self.status = status
    body = Array(json) + [UInt8(ascii: "\n")]
  }

  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The answer as it goes over the wire.
  func bytes(keepAlive: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n"
    head += "Content-Type: application/json\r\n"
    head += "Content-Length: \(body.count)\r\n"
    for field in fields {
      head += "\(field.name): \(field.value)\r\n"
    }
    head += "Connection: \(keepAlive ? "keep-alive" : "close")\r\n\r\n"
    return Array(head.utf8) + body
  }
}

// SPDX-License-Identifier: MIT

/// A request that is answered with an error.
enum HTTPError: Error {
  case badRequest(String)
  case notFound(String)
  case methodNotAllowed(String, allowed: [HTTPMethod])
  case timeout
  case bodyTooLarge(limit: Int)
  case unprocessable(String)
  case headTooLarge
  case unsupportedTransferCoding
  case tooManyConnections
  case unsupportedVersion
  case unavailable(String)

  var status: HTTPStatus {
    switch self {
    case .badRequest: .badRequest
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .timeout: .requestTimeout
    case .bodyTooLarge: .contentTooLarge
    case .unprocessable: .unprocessableContent
    case .headTooLarge: .headerFieldsTooLarge
    case .unsupportedTransferCoding: .notImplemented
    case .tooManyConnections, .unavailable: .serviceUnavailable
    case .unsupportedVersion: .versionNotSupported
    }
  }

  var message: String {
    switch self {
    case .badRequest(let message), .notFound(let message), .unprocessable(let message),
      .unavailable(let message):
      message
    case .methodNotAllowed(let path, let allowed):
      "\(path) allows only \(allowed.map(\.name).joined(separator: ", "))"
    case .timeout:
      "the request took too long to arrive"
    case .bodyTooLarge(let limit):
      "a body has at most \(limit) bytes"
    case .headTooLarge:
      "the request line and header fields are too large"
    case .unsupportedTransferCoding:
      "a body needs a Content-Length; transfer codings are not supported"
    case .tooManyConnections:
      "too many connections"
    case .unsupportedVersion:
      "only HTTP/1.0 and HTTP/1.1 are spoken here"
    }
  }
}

// SPDX-License-Identifier: MIT

/// What a server asks for its answers.
protocol RequestHandler: Sendable {
  /// Called on many threads at once.
  func respond(to request: HTTPRequest) throws(HTTPError) -> HTTPReply
}

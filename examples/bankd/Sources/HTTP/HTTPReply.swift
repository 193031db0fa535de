// SPDX-License-Identifier: MIT

/// What a handler says to a request: the answer, or how to get it.
enum HTTPReply {
  case ready(HTTPResponse)
  /// Work for a task, which is cancelled when nobody wants the answer any more.
  case later(@Sendable () async -> HTTPResponse)
}

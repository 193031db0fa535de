// SPDX-License-Identifier: MIT

/// How much a client may send, and how long it may take.
struct HTTPLimits {
  /// Request line and header fields together, in bytes.
  var head = 8 * 1024
  var headerFields = 64
  /// Bytes.
  var body = 64 * 1024
  var connections = 128

  /// How long a connection may stay open without a request.
  var idle: Duration = .seconds(30)
  /// From the first byte of a request to its last.
  var request: Duration = .seconds(10)
  /// For taking an answer.
  var response: Duration = .seconds(10)
  /// For answers that are waited for when the server stops; then they are given up.
  var patience: Duration = .seconds(1)
}

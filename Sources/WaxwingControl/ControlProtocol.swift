// SPDX-License-Identifier: MIT

/// The constants of the control protocol: a frame is a 4-byte big-endian length and that many
/// bytes of JSON; a client sends one request a frame and gets one response a frame, in order.
package enum ControlProtocol {
  /// Goes up when an older peer would misread a message. Unknown fields are ignored by both ends.
  package static let version = 1

  /// The oldest that this engine understands.
  package static let oldestVersion = 1

  /// The most bytes of JSON in the frame of a request.
  package static let maximumRequest = 4 << 20

  /// The most bytes of JSON in that of a response: `list` of 10,000 overrides with long names takes some megabytes.
  package static let maximumResponse = 32 << 20

  /// The most bytes of UTF-8 in a name: of a function, a patch, a file.
  static let maximumName = 4096

  /// The most elements of a list of names.
  static let maximumNames = 4096

  /// Seconds after which what a client watches ends when the client does not ask any more. The documents promise 15,
  /// with the time that ending takes.
  static let watchPatience = 13.0

  /// Bytes before the JSON.
  static let headerLength = 4

  /// The version of the engine and of the tool, which are released together.
  package static let engineVersion = "0.1.0"
}

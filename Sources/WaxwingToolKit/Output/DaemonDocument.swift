// SPDX-License-Identifier: MIT

package import WaxwingControl

/// What `--json` prints of a daemon: an object with the keys of the result, and `daemon`, which has the same keys in
/// every document.
struct DaemonDocument<Result: Encodable>: Encodable {
  /// The daemon; nil if none was asked.
  let daemon: DaemonInfo?
  /// The result, which is encoded as an object.
  let result: Result

  private enum Key: String, CodingKey { case daemon }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(daemon, forKey: .daemon)
  }
}

extension Console {
  /// Prints what a daemon has answered as a JSON document.
  /// - Parameters:
  ///   - result: What is encoded as an object.
  ///   - daemon: nil: none was asked, as there was a file.
  package func print(
    json result: some Encodable, of daemon: DaemonInfo?
  ) throws(CommandError) {
    try print(json: DaemonDocument(daemon: daemon, result: result))
  }

  /// Prints what a daemon has answered as a line of JSON, of a command that prints several.
  /// - Parameter result: What is encoded as an object.
  package func print(line result: some Encodable, of daemon: DaemonInfo) {
    print(JSONText.line(of: DaemonDocument(daemon: daemon, result: result)))
  }
}

// SPDX-License-Identifier: MIT

import Foundation
package import WaxwingTestSupport

/// What signs and verifies on everybody's machine, working in a folder of its own: `ssh-keygen`,
/// `minisign`, `sha256sum`.
package final class StockTools: Sendable {
  package let folder: TemporaryFolder

  package init() throws { folder = try TemporaryFolder() }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Runs a line of shell script in the folder.
  @discardableResult
  package func bash(_ line: String, timeout: Duration = .seconds(120)) throws -> CommandResult {
    try Command("/bin/bash", ["-c", line], environment: ["TZ": "UTC"], directory: folder.path)
      .run(timeout: timeout)
  }

  /// Runs a line that has to succeed.
  @discardableResult
  package func run(_ line: String) throws -> String {
    let result = try bash(line)
    guard result.isSuccess else { throw TestSupportError("\(line): \(result)") }
    return result.standardOutput
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try folder.write(text.utf8, to: name)
  }

  /// Makes a key without a passphrase and returns its public half, type and Base64.
  package func makeKey(_ name: String, type: String = "ed25519") throws -> String {
    try run("ssh-keygen -q -t \(type) -N '' -C '' -f \(name)")
    return try text("\(name).pub").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Makes a key without a password and returns its public half, `RWQ…`.
  package func makeMinisignKey(_ name: String) throws -> String {
    try run("minisign -G -f -W -p \(name).pub -s \(name).key")
    return String(try text("\(name).pub").split(separator: "\n")[1])
  }

  /// Signs a file of the folder; the signature is beside it.
  package func sign(
    _ file: String, key: String, namespace: String = "waxwing-patch", options: String = ""
  ) throws {
    try run("ssh-keygen -q -Y sign -n '\(namespace)' -f \(key) \(options) < \(file) > \(file).sig")
  }

  /// The same with minisign.
  package func minisign(_ file: String, key: String, comment: String = "waxwing-patch") throws {
    try run("minisign -S -s \(key).key -t '\(comment)' -m \(file)")
  }
}

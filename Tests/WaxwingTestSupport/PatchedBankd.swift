// SPDX-License-Identifier: MIT

import Foundation

/// The patch under which a test of bankd runs that knows nothing of it.
///
/// Environment variables of the test process name it, so that any test of bankd can be run so.
package final class PatchedBankd: Sendable {
  /// The file of a patch that each bankd gets before its test, if it takes patches without signatures.
  package static let patchVariable = "WAXWING_TEST_BANKD_PATCH"
  /// A file that gets a line for each override when the bankd ends.
  package static let faultsVariable = "WAXWING_TEST_BANKD_FAULTS"

  /// Whether the tests are run under a patch.
  static var isActive: Bool { ProcessInfo.processInfo.environment[patchVariable] != nil }

  private let process: RunningProcess
  private let directory: String

  /// Applies the patch that the environment names; nil if it names none.
  init?(_ process: RunningProcess, in directory: String) throws {
    guard let patch = ProcessInfo.processInfo.environment[Self.patchVariable] else { return nil }
    let result = try Self.waxwing(["apply", patch], directory)
    guard result.isSuccess else { throw TestSupportError(result.standardError) }
    (self.process, self.directory) = (process, directory)
  }

  /// Writes down how the overrides did.
  deinit {
    // A test may have ended it.
    guard process.isRunning, let path = ProcessInfo.processInfo.environment[Self.faultsVariable]
    else { return }
    let text: String
    do {
      let answer = try Self.waxwing(["list", "--json"], directory)
      let list = try JSONDecoder().decode(PatchList.self, from: Data(answer.standardOutput.utf8))
      text = list.patches.flatMap(\.overrides).map(\.line).joined()
    } catch {
      text = "\(error)\n"
    }
    // Several threads write there. The kernel appends what comes in one call in one piece; a stream of C's
    // would make several calls of a long text.
    let file = open(path, O_WRONLY | O_APPEND)
    guard file >= 0 else { return }
    let bytes = Array(text.utf8)
    let count = write(file, bytes, bytes.count)
    assert(count == bytes.count)
    close(file)
  }

  private static func waxwing(_ arguments: [String], _ directory: String) throws -> CommandResult {
    try Command(
      try BuiltProduct("waxwing").path, arguments, environment: ["WAXWING_SOCKET_DIR": directory]
    ).run()
  }

  private struct PatchList: Decodable {
    struct Patch: Decodable { let overrides: [Override] }
    struct Override: Decodable {
      let type: String?
      let selector: String
      let calls, errors: Int
      var line: String { "\(type ?? "").\(selector): \(calls) calls, \(errors) errors\n" }
    }
    let patches: [Patch]
  }
}

// SPDX-License-Identifier: MIT

package import WaxwingControl
package import WaxwingPatches

/// Why a command failed, in words for the terminal, with the exit code to leave with.
package struct CommandError: Error, Equatable {
  package let exitCode: ExitCode
  package let message: String
  package var details: [String] = []
  package var remedy = ""

  package init(_ exitCode: ExitCode, _ message: String, details: [String] = [], remedy: String = "")
  {
    let parts = remedy.isEmpty ? Self.parts(message) : (message, remedy)
    self.exitCode = exitCode
    self.message = parts.0
    self.details = details
    self.remedy = parts.1
  }

  /// A message that ends with a question, as those of daemons do, and the question, which is shown as a hint.
  private static func parts(_ message: String) -> (String, String) {
    guard message.hasSuffix("?"), let range = message.ranges(of: "; did you mean ").last else {
      return (message, "")
    }
    return (
      String(message[..<range.lowerBound]), String(message[range.lowerBound...].dropFirst(2))
    )
  }

  /// Wrong arguments, with the help to look at if nothing better is known.
  /// - Parameters:
  ///   - command: Whose arguments are wrong; nil or empty: those of the program.
  ///   - program: What calls the program.
  package static func usage(
    _ message: String, command: String? = nil, of program: String = "waxwing",
    remedy: String? = nil
  ) -> Self {
    let words = [program, command ?? "", "--help"].filter { !$0.isEmpty }
    return CommandError(
      .usage, message, remedy: remedy ?? "see `\(words.joined(separator: " "))`")
  }

  package init(_ error: PatchError) {
    self.init(.refused, error.located, remedy: error.remedy)
  }

  package init(_ error: ControlError) {
    let exitCode: ExitCode =
      switch error.code {
      case .pathTooLong: .usage
      case .noDaemon, .staleSocket, .closed: .noDaemon
      case .notPermitted, .unsafePath: .notPermitted
      case .timedOut, .busy: .stalled
      default: .failure
      }
    self.init(exitCode, error.message, remedy: error.remedy)
  }

  init(_ failure: ControlFailure) {
    let exitCode: ExitCode =
      switch failure.code {
      case .refused, .notFound: .refused
      case .conflict: .conflict
      case .stalled: .stalled
      case .partial: .partial
      case .notPermitted: .notPermitted
      default: .failure
      }
    self.init(exitCode, failure.message, details: failure.details, remedy: failure.remedy)
  }
}

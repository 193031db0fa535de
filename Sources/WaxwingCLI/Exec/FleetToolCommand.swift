// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingSystem
import WaxwingToolKit

/// `waxwing fleet`: becomes `waxwing-fleet`, which is installed on its own.
struct FleetToolCommand: Command {
  private static let program = "waxwing-fleet"

  let successor: String? = FleetToolCommand.program
  let name = "fleet"
  let summary = "rolls patches out over many machines, with waxwing-fleet"
  let usage = ["COMMAND [ARGUMENT…]"]
  let arguments = [
    Argument("COMMAND", "a command of waxwing-fleet; `waxwing fleet help` lists them"),
    Argument("ARGUMENT", "passed to it, including options"),
  ]
  let notes = [
    """
    The tool looks for waxwing-fleet beside itself, then in PATH. It is a separate program, because
    it needs libraries that patching one machine does not need. docs/fleet.md is the guide.
    """
  ]
  let examples = ["waxwing fleet help", "waxwing fleet status --fleet bankd"]
  let argumentCount = 1...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    try console.checkOutput()
    let words = [Self.program] + arguments.positional
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = own.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    let pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    if let beside = folder?.appendingPathComponent(Self.program).path {
      unsafe execv(beside, pointers)
    }
    unsafe execvp(Self.program, pointers)
    let error = ErrorNumber(value: errno)
    guard error.value == ENOENT else {
      throw CommandError(.failure, "cannot start \(Self.program): \(error.text)")
    }
    throw CommandError(
      .failure, "\(Self.program) is neither beside this tool nor in PATH",
      remedy: "install it, or build it with `swift build --product \(Self.program)`")
  }
}

// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Foundation
import Glibc
import WaxwingSystem
import WaxwingToolKit

/// `waxwing exec`: starts a program that does not link Waxwing, with the engine in it.
struct ExecCommand: Command {
  let name = "exec"
  let summary = "starts a program that does not link Waxwing, so that it can be patched"
  let usage = ["[--allow-unsigned] [--instance NAME] [--library FILE] PROGRAM [ARGUMENT…]"]
  let arguments = [
    Argument("PROGRAM", "a program file, or a name to look for in PATH", .commandLine),
    Argument("ARGUMENT", "passed to the program, including options", .file),
  ]
  let options = [
    Option("--allow-unsigned", nil, "apply patches without a signature: on your own machine only"),
    Option("--instance", "NAME", "what tells this process from others of the program"),
    Option(
      "--library", "FILE",
      "the engine (default: \(PreloadLibrary.fileName) beside this tool, or in ../lib/waxwing)",
      .file),
  ]
  let notes = [
    """
    The program needs no code for this, but three properties: it is compiled with `-Xfrontend
    -enable-implicit-dynamic`, uses Swift's shared libraries, and has its symbols. The command
    refuses programs that cannot be patched, and says why. It loads the engine before the program
    (LD_PRELOAD), and then becomes the program, with the same process ID, input and output, and with
    the program's exit code. Programs that the program starts are not affected.
    """,
    """
    The control socket and the operator's configuration are the same as if the program called
    WaxwingEngine.listen(). If the engine cannot listen, the program is not started.
    """,
  ]
  let examples = [
    "waxwing exec --allow-unsigned .build/debug/tickd --port 80",
    "waxwing list --program tickd",
  ]
  let argumentCount = 1...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let words = arguments.positional
    let library = try PreloadLibrary(given: arguments["--library"])
    let program = try PreloadedProgram(named: words[0])
    var variables = try program.environment(
      with: library, allowsUnsigned: arguments["--allow-unsigned"] != nil)
    if let instance = arguments["--instance"] { variables[WAX_PRELOAD_INSTANCE] = instance }
    try console.checkOutput()
    let error = Self.become(program.path, words, variables)
    throw CommandError(.failure, "cannot start \(program.path): \(error.text)")
  }

  /// Makes this process the program.
  /// - Returns: Why that has failed.
  private static func become(
    _ path: String, _ words: [String], _ variables: [String: String]
  ) -> ErrorNumber {
    let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    let environment = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    unsafe execve(path, arguments, environment)
    return ErrorNumber(value: errno)
  }
}

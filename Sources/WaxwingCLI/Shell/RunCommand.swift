// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches
import WaxwingToolKit

/// `waxwing run`: Lua code in a fresh process with the bridge.
struct RunCommand: Command {
  let name = "run"
  let summary = "runs a Lua script that can call Swift, or a shell"
  let usage = ["[-i] SCRIPT [ARGUMENT…]", "[-i] -e CODE [ARGUMENT…]", "[-i]"]
  let arguments = [
    Argument("SCRIPT", "a .lua file, or a folder with main.lua and its modules", .patchFile),
    Argument("ARGUMENT", "passed to the script as `...`, including options", .file),
  ]
  let options = [
    Option("-e", "CODE", "run this instead of a file"),
    Option("-i", nil, "open the shell after the script"),
  ]
  let notes = [
    """
    Without a script it is a shell: it runs each line, shows the results, and continues after an
    error. help() explains the shell, and typeof(x) lists the members of a value, a type or a
    module. Ctrl-C stops running code; Ctrl-D or exit() ends the shell. The code runs in a process
    of its own. If that process traps, or does not stop within 2 seconds of Ctrl-C, the shell says
    where, and continues with a new one. With Debian's libedit2 you can edit lines, Tab completes
    names, and the history is kept in ~/.waxwing_history (WAXWING_HISTORY names another file, or
    none if it is empty). If standard input is a pipe, there are no prompts.
    """,
    """
    The script can wait, as in task(function() ... end). It runs on the main thread, which serves the
    main actor meanwhile, and ends when its tasks have ended; with -i, the shell does not wait for
    them.
    """,
    """
    The exit code is 3 if the script fails, if a task fails that nobody waited for, or if any part of
    the input from a pipe fails. A script sets its own exit code with os.exit(CODE).
    """,
  ]
  let examples = [
    "waxwing run hello.lua", "waxwing run convert.lua --from eur 12",
    "waxwing run -e 'print(UUID())'", "waxwing run",
  ]
  let argumentCount = 0...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let script = try RunScript(arguments)
    guard script.source == nil || arguments["-i"] != nil else {
      return try ScriptRunning.run(script)
    }
    let program = try ProgramScript(script, console)
    let succeeded = Shell(program, console).run()
    program.end()
    return succeeded || isatty(STDIN_FILENO) != 0 ? .success : .refused
  }
}

/// The script that `waxwing run` runs before a shell, or without one.
struct RunScript {
  /// The script; nil if there is only a shell.
  let source: PatchSource?
  /// The arguments of the script.
  let arguments: [String]
  /// The command line that says all this.
  let words: [String]

  /// Creates a shell without a script.
  init() {
    source = nil
    arguments = []
    words = []
  }

  init(_ parsed: ParsedArguments) throws(CommandError) {
    let positional = parsed.positional
    let code = parsed["-e"]
    do throws(PatchError) {
      if let code {
        source = try PatchSource(files: [PatchFile(name: "-e.lua", bytes: Array(code.utf8))])
      } else {
        source = try positional.first.map { (path) throws(PatchError) in
          try PatchSource(path: path)
        }
      }
    } catch {
      throw CommandError(error)
    }
    arguments = code == nil ? Array(positional.dropFirst()) : positional
    words = (code.map { ["-e", $0] } ?? []) + positional
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches

/// `waxwing run`: Lua code in a fresh process with the bridge.
struct RunCommand: Command {
  let name = "run"
  let summary = "runs a Lua script in a fresh process with the bridge, or a shell"
  let usage = ["[-i] SCRIPT [ARGUMENT…]", "[-i] -e CODE [ARGUMENT…]", "[-i]"]
  let arguments = [
    HelpEntry("SCRIPT", "a .lua file, or a folder with main.lua and its modules"),
    HelpEntry("ARGUMENT", "handed to the script as `...`, options too"),
  ]
  let options = [
    Option("-e", "CODE", "run this instead of a file"),
    Option("-i", nil, "go on with a shell after the script"),
  ]
  let notes = [
    """
    Without a script it is a shell: what is typed runs line by line, what it returns is shown, and
    after an error it goes on. help() explains it, typeof(x) lists the members of a value, a type or
    a module. Ctrl-C stops what runs, Ctrl-D or exit() ends it. With Debian's libedit2 lines can be
    edited, Tab completes names, and lines are kept in ~/.waxwing_history (WAXWING_HISTORY names
    another file, or none if it is empty). From a pipe it reads without prompts.
    """,
    """
    The script can wait, as in task(function() ... end), and runs on the main thread, which serves the
    main actor meanwhile. It ends when its tasks have ended; with -i, the shell does not wait for them.
    """,
    """
    The exit code is 3 if the script failed, or a task that nobody waited for, or any piece of what came from a pipe; a script sets one
    of its own with os.exit(CODE).
    """,
  ]
  let examples = [
    "waxwing run hello.lua", "waxwing run convert.lua --from eur 12",
    "waxwing run -e 'print(UUID())'", "waxwing run",
  ]
  let argumentCount = 0...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let words = arguments.positional
    let source: PatchSource?
    do throws(PatchError) {
      if let code = arguments["-e"] {
        source = try PatchSource(files: [PatchFile(name: "-e.lua", bytes: Array(code.utf8))])
      } else {
        source = try words.first.map { (path) throws(PatchError) in try PatchSource(path: path) }
      }
    } catch {
      throw CommandError(error)
    }
    let isFile = source != nil && arguments["-e"] == nil
    return try ScriptRunning.run(
      source, arguments: isFile ? Array(words.dropFirst()) : words,
      thenShell: source == nil || arguments["-i"] != nil, console)
  }
}

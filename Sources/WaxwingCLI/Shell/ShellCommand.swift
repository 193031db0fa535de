// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingToolKit

/// `waxwing shell`: a prompt inside a daemon.
struct ShellCommand: Command {
  let name = "shell"
  let summary = "opens a prompt inside a running program: Lua that sees and overrides what is there"
  let usage = ["[PROGRAM | --attach PROGRAM | --program NAME | --socket PATH] [--timeout TIME]"]
  let arguments = [Argument.daemon]
  let options =
    [Option("--attach", "PROGRAM", "the same as PROGRAM alone", .daemon)] + Option.daemon
  let notes = [
    """
    Each line runs in the program, and its value is shown. An incomplete piece continues on the next
    line. Types, methods and properties have the names that patches use, and `function
    Account:deposit(n) … end` is an override from that moment on. A second override replaces it, and
    `Account.deposit = nil` ends it. All overrides end with the shell: with Ctrl-D or exit, and
    within 15 seconds if the tool was killed. Ctrl-C stops the piece that runs; Swift code that it
    calls goes on. At the prompt Ctrl-C discards the line; pressed twice, it leaves the shell.
    """,
    """
    The shell is a patch of the daemon's: `waxwing list` shows it, its limits are those of patches,
    and `waxwing restore` ends it. It needs the role `own`, and each piece is in the audit log.
    Output of a piece is shown here; output of its overrides is in `waxwing log` later. From a pipe
    the shell reads without prompts, and the exit code is 3 if any piece failed.
    """,
  ]
  let examples = ["waxwing shell bankd", "echo 'typeof(Account)' | waxwing shell --program bankd"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = try DaemonLocator(arguments, program: arguments["--attach"]).path()
    let script = try AttachedScript(at: path, arguments)
    let succeeded = Shell(script, console).run()
    try script.end()
    return succeeded || isatty(STDIN_FILENO) != 0 ? .success : .refused
  }
}

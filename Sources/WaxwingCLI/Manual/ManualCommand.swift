// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// `waxwing man`: the manual, made from what `--help` is made from.
struct ManualCommand: Command {
  private static let folder = Option("--folder", "DIR", "write all pages into this folder", .folder)

  let name = "man"
  let summary = "prints a page of the manual, or writes all of them"
  let usage = ["[COMMAND]", "--folder DIR"]
  let arguments = [Argument("COMMAND", "the page of this command (default: the tool's)")]
  let options = [folder]
  let notes = [
    """
    The pages are in the language of man(7). Their date is today's, or that of SOURCE_DATE_EPOCH,
    seconds since 1970, so that a package can be built again byte by byte.
    """
  ]
  let examples = ["waxwing man apply | man -l -", "waxwing man --folder build/man1"]
  let argumentCount = 0...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let program = CommandLineTool.help
    guard let date = ManualDate.today() else {
      throw .usage(
        "SOURCE_DATE_EPOCH is not a number of seconds: '\(ManualDate.variable)'",
        remedy: "set it to seconds since 1970, or not at all")
    }
    guard let folder = arguments["--folder"] else {
      let command = try arguments.positional.first.map { word throws(CommandError) in
        try CommandLineTool.command(word)
      }
      let page = command.map { ManualPage.of($0, program, date) } ?? .of(program, date)
      console.print(document: page.text)
      return .success
    }
    guard arguments.positional.isEmpty else {
      throw .usage("name a command or a folder, not both", command: name)
    }
    for page in ManualPage.all(program, date) {
      guard let path = page.write(into: folder) else { continue }
      throw CommandError(
        .failure, "cannot write \(path)", remedy: "make the folder, and see that it is yours")
    }
    return .success
  }
}

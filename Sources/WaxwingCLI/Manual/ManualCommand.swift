// SPDX-License-Identifier: MIT

import FoundationEssentials

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
    let date = try ManualDate.today()
    guard let folder = arguments["--folder"] else {
      console.print(document: try page(arguments.positional.first, date).text)
      return .success
    }
    guard arguments.positional.isEmpty else {
      throw .usage("name a command or a folder, not both", command: name)
    }
    let pages = [ManualPage.tool(date)] + CommandLineTool.commands.map { .of($0, date) }
    for page in pages {
      let path = "\(folder)/\(page.name).1"
      do {
        try (page.text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
      } catch {
        throw CommandError(
          .failure, "cannot write \(path)", remedy: "make the folder, and see that it is yours")
      }
    }
    return .success
  }

  private func page(_ word: String?, _ date: String) throws(CommandError) -> ManualPage {
    guard let word else { return .tool(date) }
    return .of(try CommandLineTool.command(word), date)
  }
}

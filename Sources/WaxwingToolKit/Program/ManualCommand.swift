// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// `man`: the manual, made from what `--help` is made from.
package struct ManualCommand: Command {
  private static let folder = Option("--folder", "DIR", "write all pages into this folder", .folder)

  package let name = "man"
  package let summary = "prints a page of the manual, or writes all of them"
  package let usage = ["[COMMAND]", "--folder DIR"]
  package let arguments = [Argument("COMMAND", "the page of this command (default: the program's)")]
  package let options = [folder]
  package let notes = [
    """
    The pages are in the language of man(7). Their date is today's, or that of SOURCE_DATE_EPOCH,
    seconds since 1970, so that a package can be built again byte by byte.
    """
  ]
  package let examples: [String]
  package let argumentCount = 0...2
  private let program: @Sendable () -> ProgramHelp

  /// - Parameters:
  ///   - name: The name of the program.
  ///   - program: The program, with all of its commands.
  package init(_ name: String, _ program: @escaping @Sendable () -> ProgramHelp) {
    examples = ["\(name) man | man -l -", "\(name) man --folder build/man1"]
    self.program = program
  }

  package func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let program = program()
    guard let date = ManualDate.today() else {
      throw .usage(
        "SOURCE_DATE_EPOCH is not a number of seconds: '\(ManualDate.variable)'",
        remedy: "set it to seconds since 1970, or not at all")
    }
    guard let folder = arguments["--folder"] else {
      let words = arguments.positional.joined(separator: " ")
      let page =
        words.isEmpty
        ? ManualPage.of(program, date) : .of(try command(words, of: program), program, date)
      console.print(document: page.text)
      return .success
    }
    guard arguments.positional.isEmpty else {
      throw .usage("name a command or a folder, not both", command: name, of: program.name)
    }
    for page in ManualPage.all(program, date) {
      guard let path = page.write(into: folder) else { continue }
      throw CommandError(
        .failure, "cannot write \(path)", remedy: "make the folder, and see that it is yours")
    }
    return .success
  }

  private func command(
    _ word: String, of program: ProgramHelp
  ) throws(CommandError) -> any DescribedCommand {
    if let command = program.commands.first(where: { $0.name == word }) { return command }
    throw .usage(
      "unknown command '\(word)'",
      remedy: NearestNames.question(for: word, in: program.commands.map(\.name)))
  }
}

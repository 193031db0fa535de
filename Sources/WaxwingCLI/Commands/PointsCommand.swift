// SPDX-License-Identifier: MIT

/// `waxwing points`: the patch points of an executable file.
struct PointsCommand: Command {
  let name = "points"
  let summary = "lists what can be overridden in an executable file; nothing is run"
  let usage = ["PROGRAM [PATTERN] [--json]"]
  let arguments = [
    HelpEntry("PROGRAM", "an executable file"),
    HelpEntry("PATTERN", "show only names that contain it; capitals do not matter"),
  ]
  let options = [Option.json]
  let examples = ["waxwing points ./bankd", "waxwing points ./bankd account.withdraw --json"]
  let argumentCount = 1...2

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let file = arguments.positional[0]
    let pattern = arguments.positional.dropFirst().first
    let points = try PointsListing.points(inFileAt: file).filter { $0.matches(pattern) }
    if arguments.has(.json) {
      console.print(try JSONText.of(points))
    } else if points.isEmpty {
      throw CommandError(
        .failure, "no patch point of \(file) contains '\(pattern ?? "")'",
        remedy: "see all of them with `waxwing points \(file)`")
    } else {
      var table = TextTable(columns: [.init(title: "SELECTOR"), .init(title: "DECLARATION")])
      table.rows = points.map { [$0.selector, $0.declaration] }
      console.print(table.text)
    }
    return .success
  }
}

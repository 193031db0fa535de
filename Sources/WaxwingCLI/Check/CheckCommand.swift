// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// `waxwing check`: finds mistakes in patches, and applies nothing.
struct CheckCommand: Command {
  private static let program = Option(
    "--program", "NAME|FILE",
    "a daemon's name; or a file's path, with a `/`: the program, then its libraries",
    .daemon, .file,
    repeats: true)
  private static let sarif = Option("--sarif", nil, "print a SARIF 2.1.0 log, for CI")
  private static let isStatic = Option(
    "--static", nil, "only compare names with the daemon's, and let it run nothing")
  private static let strict = Option("--strict", nil, "let warnings count as errors")

  let name = "check"
  let summary = "says what is wrong with patches, and applies nothing"
  let usage = [
    "PATCH… [--program NAME|FILE… | --socket PATH] [--static] [--strict] [--json | --sarif]"
  ]
  let arguments = [
    Argument(
      "PATCH", "a .lua file, a folder with main.lua and its modules, or - for standard input",
      .patchFile)
  ]
  let options =
    [program] + Option.daemon.filter { $0.name != "--program" } + [isStatic, strict, .json, sarif]
  let notes = [
    """
    Without a program, the command checks syntax, undefined variables, the manifest, and the file of a
    signature. With the FILE of an executable or a library, it also checks names: types, modules, what
    is overridden, ORIG names, and the number of values that overrides take and originals get. It runs
    neither the program nor the patch.
    """,
    """
    With --program NAME or --socket, the daemon also says whether it would accept the patches, as with
    `waxwing apply --dry-run`. It loads them for that, which runs their statements in the program. With
    --static the daemon only gives its names.
    """,
    """
    Each finding is a line FILE:LINE:COLUMN: error: MESSAGE, or warning, or note. The exit code is 3
    if there is an error.
    """,
  ]
  let examples = [
    "waxwing check overdraft.lua", "waxwing check fees/ --program ./.build/debug/bankd",
    "waxwing check *.lua --program bankd", "waxwing check fees/ --program ./bankd --sarif",
  ]
  let argumentCount = 1...64

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    guard !arguments.has(.json) || !arguments.has(Self.sarif) else {
      throw .usage("'--json' and '--sarif' cannot be combined", command: name)
    }
    try StandardInput.checkOnce(arguments.positional, command: name)
    let patches = arguments.positional.map { PatchText(path: $0) }
    let report: CheckResult
    var asked: DaemonInfo?
    let programs = arguments.lists["--program"] ?? []
    let files = programs.filter { $0.contains("/") }
    guard programs.count < 2 || files.count == programs.count else {
      throw .usage("several programs are files, with a '/' in each path", command: name)
    }
    if !files.isEmpty {
      guard arguments["--socket"] == nil else {
        throw .usage("'--socket' and a program's file cannot be combined", command: name)
      }
      let names = try ProgramNames(files: files)
      report = CheckResult(patches, names, title: files.joined(separator: ", "))
    } else if !programs.isEmpty || arguments["--socket"] != nil {
      let locator = try DaemonLocator(arguments, program: programs.first)
      let daemon = try Daemon(at: try locator.path(), arguments)
      asked = daemon.info
      report = try CheckResult(patches, daemon, isStatic: arguments.has(Self.isStatic))
    } else {
      report = CheckResult(patches, nil, title: nil)
    }
    if arguments.has(.json) {
      try console.print(json: report.document, of: asked)
    } else if arguments.has(Self.sarif) {
      try console.print(json: SarifLog(report.findings))
    } else {
      console.print(report.findings.flatMap(\.lines) + [report.summary], as: .findings)
    }
    let isStrict = arguments.has(Self.strict)
    let failures =
      report.findings.count(.error) + (isStrict ? report.findings.count(.warning) : 0)
    return failures == 0 ? .success : .refused
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection
import WaxwingToolKit

/// `waxwing facts`: writes down what a program's methods do with `self`.
struct FactsCommand: Command {
  private static let modules = Option(
    "--modules", "DIR", "where .swiftmodule files are (default: Modules beside PROGRAM)", .folder,
    repeats: true)
  private static let flag = Option(
    "--flag", "FLAG", "a flag for swift-symbolgraph-extract, such as -I/path", repeats: true)

  let name = "facts"
  let summary = "records which methods of a program are mutating or consuming"
  let usage = ["PROGRAM [--modules DIR]… [--flag FLAG]… [--output FILE] [--json]"]
  let arguments = [
    Argument("PROGRAM", "an executable file or a library, where it was built", .file)
  ]
  let options = [
    modules, flag,
    Option("--output", "FILE", "where to write (default PROGRAM.waxwing-facts)", .file),
    Option.json,
  ]
  let notes = [
    """
    The facts come from the compiler's modules and from debugging information. A running program
    finds the file beside its executable, or as facts/BUILD-ID.json in the configuration folder. It
    uses the file if the build ID is its own and no other user could have written it.
    """,
    """
    If a module cannot be read, everything else is written, and the exit code is 6.
    """,
  ]
  let examples = [
    "waxwing facts .build/release/bankd",
    "waxwing facts ./bankd --modules build --output /etc/waxwing/facts/9c4f.json",
  ]
  let argumentCount = 1...1

  private struct Answer: Encodable {
    struct Function: Encodable {
      let selector: String
      let declaration: String
      let symbol: String
      /// The kind of the function's `self`; nil if nothing tells it.
      let kind: String?
    }

    let program: String
    let build: String
    let file: String
    let modules: [FactsSearch.Module]
    let functions: [Function]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let program = arguments.positional[0]
    let output = arguments["--output"] ?? FactsFile.beside(program)
    let search = try FactsSearch(
      program, folders: arguments.lists[Self.modules.name] ?? [],
      flags: arguments.lists[Self.flag.name] ?? [])
    let (modules, facts) = try Progress.during("reading the modules of \(program)") {
      () throws(CommandError) in try search.run()
    }
    try write(facts, to: output)
    for module in modules {
      if let problem = module.problem { console.warn("module \(module.name): \(problem)") }
    }
    if arguments.has(.json) {
      let answer = Answer(
        program: facts.program, build: facts.build, file: output, modules: modules,
        functions: search.points.map { point in
          .init(
            selector: point.declaration.qualifiedName,
            declaration: point.declaration.description, symbol: point.symbol,
            kind: facts.selfKinds[point.symbol]?.rawValue)
        })
      try console.print(json: answer)
    } else {
      console.print(lines(facts, search.points, output))
    }
    return modules.contains { $0.problem != nil } ? .partial : .success
  }

  private func write(_ facts: FunctionFacts, to path: String) throws(CommandError) {
    let bytes: [UInt8]
    do throws(FunctionFacts.Fault) { bytes = try facts.encoded() } catch {
      throw CommandError(.failure, "\(path): \(error.reason)")
    }
    let file = NewFile(at: path)
    try file.write(bytes)
    try file.takePlace()
  }

  private func lines(
    _ facts: FunctionFacts, _ points: [PatchPoint], _ output: String
  ) -> [String] {
    let kinds = points.compactMap { facts.selfKinds[$0.symbol] }
    var lines = ["\(facts.program), build \(facts.build)"]
    for kind in SelfKind.allCases {
      lines.append("  \(kind.rawValue): \(kinds.count { $0 == kind })")
    }
    lines.append("  not known: \(points.count - kinds.count)")
    let called = facts.selfKinds.count - kinds.count
    if called > 0 { lines.append("  only called: \(called)") }
    lines.append("wrote \(output)")
    return lines
  }
}

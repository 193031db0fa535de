// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// `waxwing stubs`: definitions of a program's types for lua-language-server.
struct StubsCommand: Command {
  private static let modules = Option(
    "--modules", "DIR",
    "where .swiftmodule files are, for comments (default: Modules beside PROGRAM)", .folder,
    repeats: true)
  private static let readsOnly = Option(
    "--static", nil, "only read the file: nothing is run, and nothing is checked")
  private static let output = Option(
    "--output", "FILE", "where to write (default: standard output)", .file)

  let name = "stubs"
  let summary = "writes definitions of a program's types, for completion in editors"
  let usage = [
    "PROGRAM [--output FILE [--json]] [--modules DIR]… [--static]",
    "--program NAME | --socket PATH [--output FILE [--json]] [--modules DIR]…",
  ]
  let arguments = [Argument("PROGRAM", "an executable file", .file)]
  let options = [output, modules, readsOnly] + Option.daemon + [.json]
  let notes = [
    """
    The output is a Lua file with LuaCATS annotations, which lua-language-server reads: the types,
    methods, properties, initializers and cases of the program under the names that a patch writes,
    the globals that every patch has, and the library. `waxwing init` puts it into a new patch.
    """,
    """
    It contains the comments of the source if the compiler's modules and its tool
    swift-symbolgraph-extract are there. As for `waxwing points`, a PROGRAM that links Waxwing is
    started to say which functions cannot be overridden, and exits before its `main`; with --program
    or --socket, a running program answers, and its file is read.
    """,
  ]
  let examples = [
    "waxwing stubs ./bankd --output bankd.lua", "waxwing stubs --program bankd > bankd.lua",
  ]
  let argumentCount = 0...1

  /// The output of `--json`.
  private struct Document: Encodable {
    let path: String
    let program: String
    let types: Int
    let bytes: Int
    let problems: [String]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    if arguments.has(.json), arguments[Self.output.name] == nil {
      throw .usage("'--json' says what was written: give --output, too", command: name)
    }
    let stubs = try ProgramStubs(arguments, command: name, isStatic: arguments.has(Self.readsOnly))
    for problem in stubs.problems { console.warn(problem) }
    guard let path = arguments[Self.output.name] else {
      console.print(document: String(stubs.text.dropLast()))
      return .success
    }
    let file = NewFile(at: path)
    try file.write(Array(stubs.text.utf8))
    try file.takePlace()
    if arguments.has(.json) {
      let document = Document(
        path: path, program: stubs.program, types: stubs.typeCount, bytes: stubs.text.utf8.count,
        problems: stubs.problems)
      try console.print(json: document, of: stubs.daemon)
      return .success
    }
    console.print("wrote \(path): \(counted(stubs.typeCount, "type")) of \(stubs.program)")
    return .success
  }
}

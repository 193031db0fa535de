// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingToolKit

/// `waxwing init`: the folder of a new patch.
struct InitCommand: Command {
  private static let program = Option(
    "--program", "NAME|FILE", "a daemon's name; or the path of a program's file, with a `/`",
    .daemon, .file)

  let name = "init"
  let summary = "makes the folder of a new patch, with settings for editors"
  let usage = ["NAME [--program NAME|FILE | --socket PATH] [--modules DIR]… [--json]"]
  let arguments = [Argument("NAME", "the folder to make; its last part is the patch's name")]
  let options =
    [
      program,
      Option(
        "--modules", "DIR", "where .swiftmodule files are, as for `stubs`", .folder, repeats: true),
    ]
    + Option.daemon.filter { $0.name != "--program" } + [.json]
  let notes = [
    """
    The folder has main.lua and a test in spec, which `waxwing check` accepts as they are; .luarc.json and .luacheckrc, the
    settings of lua-language-server and luacheck; and .waxwing/stubs.lua, the definitions that
    completion comes from: with a program, those of `waxwing stubs` for it. Hidden files are no part of a
    patch.
    """,
    """
    Nothing is overwritten. If NAME exists already, it is left alone, and the exit code is 4.
    """,
  ]
  let examples = [
    "waxwing init overdraft", "waxwing init overdraft --program ./.build/debug/bankd",
  ]
  let argumentCount = 1...1

  /// The output of `--json`.
  private struct Document: Encodable {
    let folder: String
    let name: String
    /// The name of the program; nil without a program.
    let program: String?
    /// The files in the folder, in it by their paths.
    let files: [String]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    var path = arguments.positional[0]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stubs = try ProgramStubs(arguments)
    let program = program(stubs, console)
    let patch = NewPatch(name: name, program: program)
    try patch.check()
    try write(patch, to: path)
    if arguments.has(.json) {
      let document = Document(
        folder: path, name: name, program: program?.name, files: patch.files.map(\.path))
      try console.print(json: document, of: stubs?.daemon)
      return .success
    }
    console.print("made \(path): " + patch.files.map(\.path).joined(separator: ", "))
    console.print("check it with `waxwing check \(path)\(checked(arguments))`")
    return .success
  }

  private func checked(_ arguments: ParsedArguments) -> String {
    for option in ["--program", "--socket"] {
      if let value = arguments[option] { return " \(option) \(value)" }
    }
    return ""
  }

  private func program(_ stubs: ProgramStubs?, _ console: Console) -> NewPatch.Program? {
    guard let stubs else { return nil }
    for problem in stubs.problems { console.warn(problem) }
    return NewPatch.Program(
      name: stubs.program, definitions: stubs.text, example: stubs.example.lines,
      owner: stubs.example.owner)
  }

  /// A folder that is there already is not touched, and one that cannot be filled is removed.
  private func write(_ patch: NewPatch, to path: String) throws(CommandError) {
    guard unsafe mkdir(path, 0o777) == 0 else {
      let number = errno
      throw CommandError(
        number == EEXIST ? .conflict : .failure,
        unsafe "cannot make \(path): \(String(cString: strerror(number)))",
        remedy: number == EEXIST
          ? "give another name, or remove what is there"
          : "check the path, and the right to write there")
    }
    do throws(CommandError) {
      for (name, text) in patch.files { try Self.write(text, to: name, in: path) }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  private static func write(
    _ text: String, to name: String, in folder: String
  ) throws(CommandError) {
    for index in name.indices where name[index] == "/" {
      let inner = "\(folder)/\(name[..<index])"
      guard unsafe mkdir(inner, 0o777) == 0 || errno == EEXIST else {
        throw CommandError(
          .failure, unsafe "cannot make \(inner): \(String(cString: strerror(errno)))")
      }
    }
    let file = NewFile(at: "\(folder)/\(name)")
    try file.write(Array(text.utf8))
    try file.takePlace()
  }
}

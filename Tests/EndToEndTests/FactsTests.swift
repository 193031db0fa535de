// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing facts`, and what a daemon makes of the file.
@Suite struct FactsTests {
  private struct Answer: Decodable {
    struct Function: Decodable {
      let declaration: String
      let selector: String
      let kind: String?
    }

    let build: String
    let functions: [Function]
  }

  let shell: Shell
  let program: String

  init() throws {
    shell = try Shell()
    program = try BuiltProduct("selfkinds").path
  }

  private func facts(_ arguments: [String] = []) throws -> Answer {
    let words = ["facts", program, "--output", "facts", "--json"] + arguments
    let result = try shell.waxwing(words)
    expectSuccess(result)
    return try JSONDecoder().decode(Answer.self, from: Data(result.standardOutput.utf8))
  }

  @Test func `facts are what the source says, of members of every kind`() throws {
    let found = try facts().functions.map { function in
      // Of accessors ` { get }`.
      let accessor = function.declaration.firstIndex(of: "{").map {
        " \(function.declaration[$0...])"
      }
      return "\(function.kind ?? "unknown") \(function.selector)\(accessor ?? "")"
    }
    let wanted = Self.members.split(separator: "\n").map(String.init)
    #expect(Set(found).subtracting(wanted) == [] && Set(wanted).subtracting(found) == [])
  }

  @Test func `a module that cannot be read is named, and the rest is written`() throws {
    let result = try shell.waxwing(["facts", program, "--modules", ".", "--output", "facts"])
    expectEqual("\(result.status)", "exited(6)")
    expectEqual(
      result.standardError,
      "waxwing: warning: module selfkinds: there is no selfkinds.swiftmodule in \(shell.path)\n")
    // What the optimizer has merged is not described in a release build.
    expectContains(result.standardOutput, "\nwrote facts\n")
    try expectSuccess(shell.bash("grep -q consuming facts"))
  }

  @Test func `a module of another build is noticed`() throws {
    try expectSuccess(
      shell.bash(
        """
        mkdir other && cd other && sed 's/consuming func consumes() -> String/func consumes() -> \
        String/' '\(Self.fixture)/Members.swift' > Members.swift \
        && cp '\(Self.fixture)/main.swift' . && mkdir Modules && PATH="\(Self.path)" swiftc \
        -swift-version 6 -module-name selfkinds -emit-module \
        -emit-module-path Modules/selfkinds.swiftmodule *.swift
        """
      ))
    let result = try shell.waxwing(["facts", program, "--modules", "other/Modules"])
    expectEqual("\(result.status)", "exited(3)")
    expectContains(
      result.standardError,
      "is consuming in \(program), and nonmutating in the module: they belong to different builds")
  }

  @Test func `without the toolchain it says so`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(shell.path)/Modules", withIntermediateDirectories: false)
    try shell.directory.write("", to: "Modules/selfkinds.swiftmodule")
    let result = try shell.bash(
      "PATH=$(dirname $(command -v waxwing)); waxwing facts \(program) --modules Modules")
    expectEqual(
      result.standardError,
      """
      waxwing: error: swift-symbolgraph-extract cannot be run: No such file or directory
      waxwing: hint: run this where selfkinds was built, with the Swift toolchain's bin folder in \
      PATH

      """)
    expectEqual("\(result.status)", "exited(1)")
  }

  @Test func `a program without build id is refused`() throws {
    try expectSuccess(Command("/bin/cp", [program, "\(shell.path)/plain"]).run())
    try expectSuccess(
      Command("objcopy", ["--remove-section", ".note.gnu.build-id", "\(shell.path)/plain"])
        .run())
    let result = try shell.waxwing(["facts", "plain"])
    expectEqual(
      result.standardError,
      """
      waxwing: error: plain has no build ID, which a facts file needs
      waxwing: hint: link it with `-Xlinker --build-id`

      """)
    expectEqual("\(result.status)", "exited(3)")
  }

  @Test func `a daemon reads facts of its own build, and says why it ignores others`() throws {
    let bankd = try BuiltProduct("bankd").path
    let patch = """
      patch { name = "fees" }
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return 7 end
      """
    let build = try shell.bash(
      "waxwing facts \(bankd) --output facts --json | grep -m1 '\"build\"' | cut -d'\"' -f4")
    let id = build.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(id.count >= 16)
    for (change, wanted) in [
      ("", "waxwing info facts.read: "),
      (
        "sed -i 's/\"build\" : \".*\"/\"build\" : \"00\"/'",
        "it is for build 00 of bankd, and this is"
      ),
      ("truncate -s 100", "it is not a JSON document of facts"),
      ("sed -i 's/\"format\" : 1/\"format\" : 9/'", "it has format 9, and this engine reads 1"),
      (
        "sed -i 's/\"nonmutating\"/\"borrowed\"/'",
        "'borrowed' is not one of nonmutating, mutating, consuming"
      ),
      ("chmod 666", "it can be written by other users"),
    ] {
      let stage = try Stage()
      let file = "\(stage.folder)/facts/\(id).json"
      try stage.write("", to: "facts/\(id).json")
      let copied = try shell.bash(
        "cp facts \(file) && chmod 644 \(file) && \(change.isEmpty ? "true" : change + " " + file)")
      expectSuccess(copied)
      try stage.write(patch, to: "fees.lua")
      let applied = try stage.waxwing(["apply", "fees.lua"])
      expectContains(applied, "applied")
      expectContains(stage.log, wanted)
      expectEqual(stage.log.contains("facts.ignored"), !change.isEmpty)
    }
  }

  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/SelfKinds").path
  private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

  private static let members = """
    consuming Swift.Array.consumesAll()
    mutating Swift.Array.mutatesLast()
    nonmutating Swift.Array.plainTotal()
    consuming Swift.String.consumesText()
    nonmutating selfkinds.Base.computed { get }
    nonmutating selfkinds.Base.computed { set }
    consuming selfkinds.Base.consumes()
    nonmutating selfkinds.Base.plain()
    consuming selfkinds.Choice.consumes()
    mutating selfkinds.Choice.mutates()
    nonmutating selfkinds.Choice.plain()
    consuming selfkinds.Generic.Inner.consumes()
    mutating selfkinds.Generic.Inner.mutates(_:)
    consuming selfkinds.Generic.consumes()
    consuming selfkinds.Generic.consumesIntegers()
    mutating selfkinds.Generic.mutates(_:)
    nonmutating selfkinds.Generic.plain()
    consuming selfkinds.Large.consumes()
    mutating selfkinds.Large.mutates()
    nonmutating selfkinds.Large.plain()
    consuming selfkinds.Local.consumes()
    mutating selfkinds.Local.mutates()
    consuming selfkinds.Members.asyncConsumes()
    mutating selfkinds.Members.asyncMutates()
    nonmutating selfkinds.Members.asyncPlain()
    nonmutating selfkinds.Members.borrows()
    mutating selfkinds.Members.changedByReading { get }
    nonmutating selfkinds.Members.computed { get }
    mutating selfkinds.Members.computed { set }
    consuming selfkinds.Members.consumedByReading { get }
    consuming selfkinds.Members.consumes()
    consuming selfkinds.Members.consumesItself()
    consuming selfkinds.Members.consumesOnTwoLines(_:)
    nonmutating selfkinds.Members.failing { get }
    consuming selfkinds.Members.hiddenConsumes()
    mutating selfkinds.Members.hiddenMutates()
    mutating selfkinds.Members.late { get }
    mutating selfkinds.Members.late { set }
    mutating selfkinds.Members.mutates()
    mutating selfkinds.Members.observed { didSet }
    nonmutating selfkinds.Members.observed { get }
    nonmutating selfkinds.Members.plain(_:)
    nonmutating selfkinds.Members.setThrough { get }
    nonmutating selfkinds.Members.setThrough { set }
    mutating selfkinds.Members.subscript(both:) { get }
    nonmutating selfkinds.Members.subscript(both:) { set }
    nonmutating selfkinds.Members.subscript(plain:) { get }
    nonmutating selfkinds.Members.usesHidden()
    consuming selfkinds.Merged.consumes()
    consuming selfkinds.Merged.consumesAlike()
    mutating selfkinds.Merged.mutates()
    mutating selfkinds.Merged.mutatesAlike()
    consuming selfkinds.Shaped.consumesSize()
    mutating selfkinds.Shaped.mutatesSize(_:)
    nonmutating selfkinds.Shaped.plainSize()
    nonmutating selfkinds.Unique.borrows()
    consuming selfkinds.Unique.consumes()
    mutating selfkinds.Unique.mutates()
    """
}

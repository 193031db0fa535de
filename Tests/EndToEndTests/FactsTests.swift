// SPDX-License-Identifier: MIT

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
    #expect(result.isSuccess, "\(result.standardError)")
    return try JSONDecoder().decode(Answer.self, from: Data(result.standardOutput.utf8))
  }

  @Test func `facts are what the source says, of members of every kind`() throws {
    let found = try facts().functions.map {
      "\($0.kind ?? "unknown") \($0.selector): \($0.declaration)"
    }
    let wanted = Self.members.split(separator: "\n").map(String.init)
    #expect(Set(found).subtracting(wanted) == [] && Set(wanted).subtracting(found) == [])
  }

  @Test func `a module that cannot be read is named, and the rest is written`() throws {
    let result = try shell.waxwing(["facts", program, "--modules", ".", "--output", "facts"])
    #expect("\(result.status)" == "exited(6)")
    #expect(
      result.standardError
        == "waxwing: warning: module selfkinds: there is no selfkinds.swiftmodule in \(shell.path)\n"
    )
    // What the optimizer has merged is not described in a release build.
    #expect(result.standardOutput.contains("\nwrote facts\n"))
    #expect(try shell.bash("grep -q consuming facts").isSuccess)
  }

  @Test func `a module of another build is noticed`() throws {
    #expect(
      try shell.bash(
        """
        mkdir other && cd other && sed 's/consuming func consumes() -> String/func consumes() -> \
        String/' '\(Self.fixture)/Members.swift' > Members.swift \
        && cp '\(Self.fixture)/main.swift' . && mkdir Modules && PATH="\(Self.path)" swiftc \
        -swift-version 6 -module-name selfkinds -emit-module \
        -emit-module-path Modules/selfkinds.swiftmodule *.swift
        """
      ).isSuccess)
    let result = try shell.waxwing(["facts", program, "--modules", "other/Modules"])
    #expect("\(result.status)" == "exited(3)")
    #expect(
      result.standardError.contains(
        "is consuming in \(program), and nonmutating in the module: they are not of one build"),
      "\(result.standardError)")
  }

  @Test func `without the toolchain it says so`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(shell.path)/Modules", withIntermediateDirectories: false)
    try shell.directory.write("", to: "Modules/selfkinds.swiftmodule")
    let result = try shell.bash(
      "PATH=$(dirname $(command -v waxwing)); waxwing facts \(program) --modules Modules")
    #expect(
      result.standardError == """
        waxwing: error: swift-symbolgraph-extract cannot be run: No such file or directory
        waxwing: hint: run this where selfkinds was built, with the Swift toolchain's bin folder in \
        PATH

        """)
    #expect("\(result.status)" == "exited(1)")
  }

  @Test func `a program without build id is refused`() throws {
    #expect(try Command("/bin/cp", [program, "\(shell.path)/plain"]).run().isSuccess)
    #expect(
      try Command("objcopy", ["--remove-section", ".note.gnu.build-id", "\(shell.path)/plain"])
        .run().isSuccess)
    let result = try shell.waxwing(["facts", "plain"])
    #expect(
      result.standardError == """
        waxwing: error: plain has no build id, by which a running program would know its facts
        waxwing: hint: link it with `-Xlinker --build-id`

        """)
    #expect("\(result.status)" == "exited(3)")
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
        "'borrowed' is none of nonmutating, mutating, consuming"
      ),
      ("chmod 666", "it can be written by other users"),
    ] {
      let stage = try Stage()
      let file = "\(stage.folder)/facts/\(id).json"
      try stage.write("", to: "facts/\(id).json")
      let copied = try shell.bash(
        "cp facts \(file) && chmod 644 \(file) && \(change.isEmpty ? "true" : change + " " + file)")
      #expect(copied.isSuccess, "\(copied.standardError)")
      try stage.write(patch, to: "fees.lua")
      let applied = try stage.waxwing(["apply", "fees.lua"])
      #expect(applied.contains("applied"), "\(applied)")
      #expect(stage.log.contains(wanted), "\(change): \(stage.log)")
      #expect(stage.log.contains("facts.ignored") == !change.isEmpty)
    }
  }

  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/SelfKinds").path
  private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

  private static let members = """
    consuming Swift.Array.consumesAll(): func consumesAll() -> Int
    mutating Swift.Array.mutatesLast(): func mutatesLast()
    nonmutating Swift.Array.plainTotal(): func plainTotal() -> Int
    consuming Swift.String.consumesText(): func consumesText() -> String
    nonmutating selfkinds.Base.computed: var computed: Int { get }
    nonmutating selfkinds.Base.computed: var computed: Int { set }
    consuming selfkinds.Base.consumes(): func consumes() -> Int
    nonmutating selfkinds.Base.plain(): func plain() -> Int
    consuming selfkinds.Choice.consumes(): func consumes() -> String
    mutating selfkinds.Choice.mutates(): func mutates()
    nonmutating selfkinds.Choice.plain(): func plain() -> Bool
    consuming selfkinds.Generic.Inner.consumes(): func consumes() -> A
    mutating selfkinds.Generic.Inner.mutates(_:): func mutates(_: A)
    consuming selfkinds.Generic.consumes(): func consumes() -> [A]
    consuming selfkinds.Generic.consumesIntegers(): func consumesIntegers() -> Int
    mutating selfkinds.Generic.mutates(_:): func mutates(_: A)
    nonmutating selfkinds.Generic.plain(): func plain() -> A?
    consuming selfkinds.Large.consumes(): func consumes() -> String
    mutating selfkinds.Large.mutates(): func mutates()
    nonmutating selfkinds.Large.plain(): func plain() -> String
    consuming selfkinds.Local.consumes(): func consumes() -> Int
    mutating selfkinds.Local.mutates(): func mutates()
    consuming selfkinds.Members.asyncConsumes(): func asyncConsumes() async throws -> String
    mutating selfkinds.Members.asyncMutates(): func asyncMutates() async
    nonmutating selfkinds.Members.asyncPlain(): func asyncPlain() async -> Int
    nonmutating selfkinds.Members.borrows(): func borrows() -> Int
    mutating selfkinds.Members.changedByReading: var changedByReading: Int { get }
    nonmutating selfkinds.Members.computed: var computed: Int { get }
    mutating selfkinds.Members.computed: var computed: Int { set }
    consuming selfkinds.Members.consumedByReading: var consumedByReading: String { get }
    consuming selfkinds.Members.consumes(): func consumes() -> String
    consuming selfkinds.Members.consumesItself(): func consumesItself() -> Members
    consuming selfkinds.Members.consumesOnTwoLines(_:): func consumesOnTwoLines(_: Int) -> Int
    nonmutating selfkinds.Members.failing: var failing: Int { get }
    consuming selfkinds.Members.hiddenConsumes(): func hiddenConsumes() -> String
    mutating selfkinds.Members.hiddenMutates(): func hiddenMutates()
    mutating selfkinds.Members.late: var late: String { get }
    mutating selfkinds.Members.late: var late: String { set }
    mutating selfkinds.Members.mutates(): func mutates()
    mutating selfkinds.Members.observed: var observed: Int { didSet }
    nonmutating selfkinds.Members.observed: var observed: Int { get }
    nonmutating selfkinds.Members.plain(_:): func plain(_: Int) -> Int
    nonmutating selfkinds.Members.setThrough: var setThrough: Int { get }
    nonmutating selfkinds.Members.setThrough: var setThrough: Int { set }
    mutating selfkinds.Members.subscript(both:): subscript(both: Int) -> Int { get }
    nonmutating selfkinds.Members.subscript(both:): subscript(both: Int) -> Int { set }
    nonmutating selfkinds.Members.subscript(plain:): subscript(plain: Int) -> Int { get }
    nonmutating selfkinds.Members.usesHidden(): func usesHidden() -> Int
    consuming selfkinds.Merged.consumes(): func consumes() -> String
    consuming selfkinds.Merged.consumesAlike(): func consumesAlike() -> String
    mutating selfkinds.Merged.mutates(): func mutates()
    mutating selfkinds.Merged.mutatesAlike(): func mutatesAlike()
    consuming selfkinds.Shaped.consumesSize(): func consumesSize() -> Int
    mutating selfkinds.Shaped.mutatesSize(_:): func mutatesSize(_: A)
    nonmutating selfkinds.Shaped.plainSize(): func plainSize() -> Int
    nonmutating selfkinds.Unique.borrows(): func borrows() -> Int
    consuming selfkinds.Unique.consumes(): func consumes() -> String
    mutating selfkinds.Unique.mutates(): func mutates()
    """
}

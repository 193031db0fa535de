// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

@Suite struct PatchPointCatalogTests {
  private static func catalog() throws -> PatchPointCatalog {
    try PatchPointCatalog(image: ElfImage(bytes: SmallElf.image(patchPoints: true)))
  }

  @Test func `patch points have entry, implementation and declaration`() throws {
    let points = try Self.catalog().points
    #expect(points.map(\.symbol) == [SmallElf.function, SmallElf.asyncFunction])
    #expect(points.map(\.entry) == [0x1000, 0x1040])
    #expect(points.map(\.isAsync) == [false, true])
    // The plain function's code, the async function's pointer record.
    #expect(points.map(\.implementation) == [0x1010, 0x1030])
    #expect(points.map(\.declaration.selector) == ["deposit(_:memo:)", "fetch(_:)"])
  }

  @Test func `entries that cannot be named are not dropped`() throws {
    #expect(try Self.catalog().unreadable == [SmallElf.unreadable + "TX"])
  }

  @Test func `what is compiled into the program of the engine is no patch point`() throws {
    // A method, an extension of a type of the standard library, a free function, and one of a module
    // that is named nearly so.
    let symbols = [
      "$s7Waxwing6EngineC4stopyyF", "$sSi16WaxwingScriptingE4wideSiyF",
      "$s17WaxwingReflection4readyyF",
      "$s12WaxwingTests4callyyF", "$s16WaxwingScripting4BankC4callyyF",
    ]
    let image = SmallElf.image(of: symbols.flatMap { [$0, $0 + "TX"] })
    let points = try PatchPointCatalog(image: ElfImage(bytes: image)).points
    #expect(points.map(\.declaration.qualifiedName) == ["WaxwingTests.call()"])
    let engine = SmallElf.image(of: [symbols[0], symbols[0] + "TX"])
    #expect(throws: ElfError.self) { try PatchPointCatalog(image: ElfImage(bytes: engine)) }
  }

  /// A list that forgets a module would let patches into it.
  @Test func `the engine's modules are those that its library is made of`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardizedFileURL
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("Sources").path)
    // Programs of their own, which no daemon links.
    let others: Set = [
      "CCurl", "CMicroHTTPD", "CWaxwingConsole", "CWaxwingTransport", "WaxwingAgent", "WaxwingCLI",
      "WaxwingConsole", "WaxwingFleet", "WaxwingFleetCLI", "WaxwingFleetTool",
      "WaxwingToolKit",
    ]
    #expect(EngineModules.names == Set(sources + ["CWaxwingLuaSources"]).subtracting(others))
  }

  @Test func `this program's own dynamic functions are found`() async throws {
    let catalog = try PatchPointCatalog(image: ElfImage(path: OwnImage.path))
    func points(_ name: String) -> [PatchPoint] {
      catalog.points.filter { $0.declaration.qualifiedName.hasSuffix(".Fixture.\(name)") }
    }
    let point = try #require(points("greet(_:from:)").first)
    #expect(points("greet(_:from:)").count == 1)
    #expect(point.declaration.module == "WaxwingReflectionTests")
    #expect(point.declaration.description == "func greet(_: String, from: Int) -> String")
    #expect(point.implementation != nil)
    #expect(!point.isAsync)
    let getter = try #require(points("slowly").first)
    #expect(getter.isAsync)
    #expect(getter.declaration.kind == .getter)
    #expect(!getter.declaration.isAsync)
    #expect(catalog.unreadable == [])
    #expect(Fixture().greet("you", from: 1) == "you 1")
    #expect(try await Fixture().slowly == 1)
  }
}

/// Functions that have replacement entries, as every function has under implicit dynamic.
private final class Fixture {
  dynamic func greet(_ name: String, from place: Int) -> String { "\(name) \(place)" }
  dynamic var slowly: Int { get async throws { 1 } }
}

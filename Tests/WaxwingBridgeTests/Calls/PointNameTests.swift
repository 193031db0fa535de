// SPDX-License-Identifier: MIT

import InterceptionFixture
import Testing
import WaxwingDeclarations
import WaxwingReflection

@testable import WaxwingBridge
@testable import WaxwingValues

/// What patch points are called: each name that is shown means the point that it is shown for.
@Suite struct PointNameTests {
  let program: RunningProgram
  let resolver: NameResolver
  let points: [PointDescriber.RunningPoint]

  init() throws {
    program = try RunningProgram()
    resolver = NameResolver(program).leavingOut { [program] in
      MissingInitializers.contains($0, in: program)
    }
    points = PointDescriber.points(of: program)
  }

  @Test func `what lists show for a point means it and no other`() throws {
    #expect(points.count > 1000)
    var wrong: [String] = []
    for point in points where point.description.kind != nil {
      let shown = point.description
      if (try? resolver.patchPoint(written: shown.selector)) != point.function {
        wrong.append(shown.selector)
      }
    }
    #expect(wrong == [])
    let selectors = Set(points.map(\.description.selector))
    #expect(selectors.count == points.count)
  }

  @Test func `what a patch writes for a point means it and no other`() throws {
    var wrong: [String] = []
    for point in points {
      let shown = point.description
      guard let kind = shown.kind else { continue }
      let found = try? resolver.patchPoint(shown.member, kind, in: try scope(of: shown))
      if found != point.function { wrong.append("\(shown.owner.name) \(shown.member)") }
    }
    #expect(wrong == [])
  }

  private func scope(of point: PointDescription) throws -> NameResolver.Scope {
    switch point.owner {
    case .type(let name): .type(try resolver.type(named: name), isStatic: point.isStatic)
    case .module(let name): .module(try resolver.module(named: name))
    }
  }

  @Test func `overloads are told apart by as little as does`() throws {
    let names = points.map(\.description)
      .filter { $0.owner.name.hasPrefix("InterceptionFixture.Spelling") }
      .map { "\($0.isStatic ? "static " : "")\($0.member)" }
    for expected in [
      "title(_:) where A == InterceptionFixture.SpellingHTML",
      "value where A == InterceptionFixture.SpellingRSS",
      "subscript(_:) where A == InterceptionFixture.SpellingRSS",
      "read(_: Swift.Int)", "read(_:) -> Swift.Bool", "read(_: Swift.String) -> Swift.Int",
      "measure(_: inout Swift.Int)", "list(_: Swift.Int...)", "list(_: [Swift.Int])",
      "load() async", "load()", "show(_:) where A: Swift.Equatable", "static make", "make",
      "subscript(_:) -> Swift.String", "subscript_name", "init(_: Swift.String)", "init()",
      "run(_: (Swift.Int) -> Swift.Int)", "größe(für:)", "until_until_end_self",
    ] {
      #expect(names.contains(expected), "\(expected) is not among \(names.sorted())")
    }
  }

  @Test(arguments: [
    ("SpellingNode", "title(_:) where Context == SpellingHTML"),
    ("SpellingNode", "title( _ : String )where  Element==InterceptionFixture.SpellingHTML"),
    ("SpellingParser", "read(_: String) -> Int"),
    ("SpellingParser", "read(_:)->Swift.Bool"),
    ("SpellingParser", "measure(_: inout Int)"),
    ("SpellingParser", "show(_: T) where T: Comparable"),
    ("SpellingParser", "run(_: (Int) -> String) -> String"),
    ("SpellingParser", "load() async -> Int"),
  ])
  func `names are read with short types, other spaces and the source's generic parameters`(
    type: String, name: String
  ) throws {
    let type = try resolver.type(named: type)
    let scope = NameResolver.Scope.type(type, isStatic: false)
    #expect(throws: Never.self) { try resolver.patchPoint(name, .method, in: scope) }
  }

  @Test func `a name that does not say enough is refused with names that do`() throws {
    let type = try resolver.type(named: "SpellingParser")
    let error = #expect(throws: NameError.self) {
      try resolver.patchPoint("read", .method, in: .type(type, isStatic: false))
    }
    #expect(
      error?.description == """
        `read` is ambiguous; write one of:
            read(_: Swift.Int)
            read(_: Swift.String) -> Swift.Int
            read(_:) -> Swift.Bool
        """)
  }

  @Test func `private types of one name are named by their symbols`() throws {
    let error = #expect(throws: NameError.self) { try resolver.type(named: "SpellingTwin") }
    #expect(error?.description.contains("write one of:\n    class \"$s") == true)
    let owners = Set(
      points.map(\.description).filter { $0.ownerTitle.hasSuffix("SpellingTwin") }
        .map(\.owner.name))
    #expect(owners.count == 2)
    for owner in owners { #expect(try resolver.type(named: owner).symbol == owner) }
  }

  @Test func `an override of a standard protocol's extension is found`() throws {
    let type = try resolver.type(named: "Swift.BidirectionalCollection")
    #expect(type.nominal.kind == .protocol)
    let point = try resolver.patchPoint(written: "Swift.BidirectionalCollection.spelledBackwards()")
    #expect(point.declaration.baseName == "spelledBackwards")
    guard case .accepted(opaque: nil, note: _) = OverrideCheck.verdict(on: point, in: program)
    else {
      Issue.record("not accepted, or opaque")
      return
    }
  }

  @Test func `names for parameters are words of Lua's, and each is there once`() throws {
    let point = try resolver.patchPoint(written: "SpellingParser.until(until:_:end:self:)")
    let found = points.first { $0.function == point }?.description
    #expect(found?.parameters == ["until_", "value", "end_", "self2"])
    for point in points.map(\.description) {
      #expect(point.parameters.allSatisfy(LuaName.isValid))
      #expect(Set(point.parameters + ["self", "original"]).count == point.parameters.count + 2)
    }
  }

  @Test func `types that the runtime has no spelling for are called so`() throws {
    let storage = try #require(TypeMetadata.fields(of: InlineArray<2, Int>.self).first?.type)
    #expect(_typeName(storage).contains("<<<"))
    #expect(TypeName.short(storage) == TypeName.unnamed)
  }

  @Test func `what the fixture says is as it should be`() async {
    #expect(
      await useSpellings().hasSuffix(
        "here elsewhere html x rss x 1 2 2 3 [\"c\", \"b\", \"a\"] 0 2"))
  }
}

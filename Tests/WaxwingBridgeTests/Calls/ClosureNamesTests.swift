// SPDX-License-Identifier: MIT

import Testing
import WaxwingBridge
import WaxwingDeclarations

/// The names of closures, by their symbols alone.
@Suite struct ClosureNamesTests {
  private struct Closure: NamedFunction {
    let symbol: String
    let declaration: FunctionDeclaration
    var isAsync: Bool { true }
  }

  /// In `mx`: of `boot(_: Routes)`, `boot(_: Routes, _: Int)`, `boot(_: Routes, _: String)`, the getter and the setter of
  /// `shared`, and two closures of `nest(_: Routes)`, in each of which there is one.
  private let closures: [Closure]

  init() throws {
    let symbols = [
      "$s2mx4bootyyAA6RoutesCFSSAA5VisitV_SitYaYbcfU_",
      "$s2mx4bootyyAA6RoutesC_SitFSSAA5VisitV_SitYaYbcfU_",
      "$s2mx4bootyyAA6RoutesC_SStFSSAA5VisitV_SitYaYbcfU_",
      "$s2mx6sharedAA6RoutesCvgSSAA5VisitV_SitYaYbcfU_",
      "$s2mx6sharedAA6RoutesCvsSSAA5VisitV_SitYaYbcfU_",
      "$s2mx4nestyyAA6RoutesCFyycfU_SSAA5VisitV_SitYaYbcfU_",
      "$s2mx4nestyyAA6RoutesCFyycfU0_SSAA5VisitV_SitYaYbcfU_",
    ]
    closures = try symbols.map {
      Closure(symbol: $0, declaration: try #require(FunctionDeclaration(symbol: $0)))
    }
  }

  @Test func `each closure has a name that means it alone`() {
    let names = closures.map { ClosureNames.spelling(of: $0, among: closures) }
    #expect(
      names == [
        "closure #1 in boot(_:)",
        "closure #1 in boot(_: mx.Routes, _: Swift.Int)",
        "closure #1 in boot(_: mx.Routes, _: Swift.String)",
        "closure #1 in shared.get", "closure #1 in shared.set",
        "closure #1 in closure #1 in nest(_:)", "closure #1 in closure #2 in nest(_:)",
      ])
    for (name, closure) in zip(names, closures) {
      #expect(ClosureNames.isClosure(name))
      #expect(ClosureNames.meant(by: name, among: closures) == [closure])
      #expect(ClosureNames.meant(by: closure.symbol, among: closures) == [closure])
    }
  }

  @Test(arguments: [
    ("closure #1 in boot", [0, 1, 2]), ("closure #1 in boot(_:_:)", [1, 2]),
    ("closure #1 in boot(_: Routes, _: Int)", [1]), ("closure #2 in boot", []),
    ("closure #1 in shared", [3, 4]), ("closure #1 in nest", []),
    ("closure #1 in closure #2 in nest", [6]), ("closure #1 in ", []), ("closure #", []),
    ("implicit closure #1 in boot(_:)", []),
  ])
  func `a name means closures`(name: String, found: [Int]) {
    #expect(
      ClosureNames.meant(by: name, among: closures).map(\.symbol)
        == found.map { closures[$0].symbol })
  }

  @Test(arguments: [
    ("closure #7 in boot", [0, 2, 1]), ("closure #1 in boto(_:)", [0, 1, 2]),
    ("closure #1 in sharde.get", [3, 4]), ("closure #1 in ", []),
    ("closure #1 in closure #3 in nest(_:)", [5, 6]),
  ])
  func `a name that none has is near some`(name: String, near: [Int]) {
    #expect(
      Set(ClosureNames.near(name, among: closures).map(\.symbol))
        == Set(near.map { closures[$0].symbol }))
  }
}

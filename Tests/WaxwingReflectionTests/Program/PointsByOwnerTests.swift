// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// What outlines find, against all patch points demangled.
@Suite struct PointsByOwnerTests {
  private static let program = try? RunningProgram()

  @Test func `each patch point is found by its owner and its name`() throws {
    let program = try #require(Self.program)
    let points = program.patchPoints
    #expect(points.count > 100)
    for point in points {
      let name = point.declaration.baseName
      let owner = Self.owner(of: point, in: program)
      #expect(owner.functions(meantBy: name).contains(point), "\(point.symbol)")
      if !name.isEmpty {
        #expect(owner.functions(meantBy: name + "(").contains(point), "\(point.symbol)")
      }
      #expect(owner.functions(meantBy: point.symbol) == [point])
      #expect(program.patchPoint(symbol: point.symbol) == point)
    }
  }

  @Test func `owners have all of their points, in order, and no others`() throws {
    let program = try #require(Self.program)
    var byOwner: [String: [RunningFunction]] = [:]
    for point in program.patchPoints {
      let owner = point.declaration.context.memberOf?.unbound
      byOwner[owner.map { TypeNode.nominal($0).mangled } ?? point.declaration.module, default: []]
        .append(point)
    }
    for points in byOwner.values {
      let found = Self.owner(of: points[0], in: program)
      #expect(found.all == points)
      #expect(!found.isEmpty)
      #expect(found.operators == points.filter { $0.declaration.kind == .operatorFunction })
    }
    #expect(program.patchedModules == Set(program.patchPoints.map(\.declaration.module)))
  }

  @Test func `owners that the images do not have are known by their points`() throws {
    let program = try #require(Self.program)
    let foreign = Set(
      program.patchPoints.compactMap { $0.declaration.context.memberOf?.unbound }.filter { owner in
        program.types[owner.qualifiedName]?.contains { $0.nominal == owner } != true
      })
    #expect(!foreign.isEmpty)
    for owner in foreign { #expect(program.foreignOwner(owner)?.nominal == owner) }
  }

  private static func owner(
    of point: RunningFunction, in program: RunningProgram
  ) -> FunctionsByName {
    guard let nominal = point.declaration.context.memberOf?.unbound else {
      return program.patchPoints(inModule: point.declaration.module)
    }
    let known = program.types[nominal.qualifiedName]?.first { $0.nominal == nominal }
    return program.patchPoints(
      of: known ?? program.foreignOwner(nominal) ?? RunningType(undescribed: nominal))
  }
}

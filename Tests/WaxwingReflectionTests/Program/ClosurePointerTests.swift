// SPDX-License-Identifier: MIT

import InterceptionFixture
import OptimizedRoutes
import PlainRoutes
import Testing
import WaxwingDeclarations
import WaxwingReflection

/// The async closures of three modules: compiled as programs usually are, optimised, and with implicit dynamic.
struct ClosurePointerTests {
  private static let program = try? RunningProgram()

  private typealias Sum = @Sendable (Int, Int) async throws -> Int
  private typealias Many =
    @Sendable (Int, Int, Int, Int, Int, Int, Int, Int, Int) async throws
    -> Int

  // As a field of a struct a function value is what its type says.
  private struct KeptSum { var value: Sum }
  private struct KeptMany { var value: Many }

  /// What a function value leads to.
  private static func pointer(_ value: @escaping Sum) -> UInt {
    withUnsafeBytes(of: KeptSum(value: value)) { $0.load(as: UInt.self) }
  }

  private static func pointer(_ value: @escaping Many) -> UInt {
    withUnsafeBytes(of: KeptMany(value: value)) { $0.load(as: UInt.self) }
  }

  /// What the values of a module's closures lead to.
  struct Values: Sendable {
    let module: String
    let waiting, plain, many, generic: UInt
  }

  static let modules: [Values] = {
    let plain = PlainRoutes.makeRoutes(PlainRoutes.Stock(), base: 1, prefix: "")
    let optimized = OptimizedRoutes.makeRoutes(OptimizedRoutes.Stock(), base: 1, prefix: "")
    let dynamic = InterceptionFixture.makeRoutes(InterceptionFixture.Stock(), base: 1, prefix: "")
    return [
      Values(
        module: "PlainRoutes", waiting: pointer(plain.waiting), plain: pointer(plain.plain),
        many: pointer(plain.many), generic: pointer(plain.generic)),
      Values(
        module: "OptimizedRoutes", waiting: pointer(optimized.waiting),
        plain: pointer(optimized.plain), many: pointer(optimized.many),
        generic: pointer(optimized.generic)),
      Values(
        module: "InterceptionFixture", waiting: pointer(dynamic.waiting),
        plain: pointer(dynamic.plain), many: pointer(dynamic.many),
        generic: pointer(dynamic.generic)),
    ]
  }()

  private func closure(
    _ number: Int, in function: String, of module: String
  ) throws -> ProgramClosure {
    let program = try #require(Self.program)
    let found = program.closures.filter {
      guard case .declaration(let outer, _) = $0.declaration.context, outer.module == module
      else { return false }
      return outer.baseName == function && $0.declaration.kind == .closure(number - 1)
    }
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test(arguments: modules)
  func `a value of a closure leads to one of its pointers`(values: Values) throws {
    let expected = [
      (1, "makeRoutes", values.waiting, true), (2, "makeRoutes", values.plain, false),
      (3, "makeRoutes", values.many, true), (1, "adding", values.generic, true),
    ]
    for (number, function, pointer, isForwarder) in expected {
      let closure = try closure(number, in: function, of: values.module)
      #expect(closure.pointers.contains { $0.address == pointer })
      #expect(closure.pointers.allSatisfy { $0.isForwarder == isForwarder })
      #expect(closure.declaration.isAsync)
    }
  }

  @Test func `a copy for certain types has pointers of its own`() throws {
    let optimized = try closure(1, in: "adding", of: "OptimizedRoutes")
    #expect(optimized.pointers.contains { $0.isSpecialized })
  }

  @Test(arguments: modules)
  func `closures have the type and the place that they are written with`(values: Values) throws {
    let closure = try closure(5, in: "makeRoutes", of: values.module)
    #expect(
      closure.declaration.parameters.map { $0.type.description }
        == ["\(values.module).Order", "Swift.Int"])
    #expect(closure.declaration.result.description == "\(values.module).Receipt")
  }
}

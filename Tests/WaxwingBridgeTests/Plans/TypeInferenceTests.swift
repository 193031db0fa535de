// SPDX-License-Identifier: MIT

import InterceptionFixture
import LuaRig
import Testing
import WaxwingDeclarations
import WaxwingReflection
import WaxwingValues

@testable import WaxwingBridge

/// A call of one of the fixture's generic functions, and what its parameters stand for.
struct InferenceCase: CustomTestStringConvertible, @unchecked Sendable {
  var function: String
  /// In Lua; `...` are the objects.
  var arguments: String
  var objects: [AnyObject]
  /// `A = Int, B = String`, or why not.
  var types: String

  init(_ function: String, _ arguments: String, _ types: String, _ objects: AnyObject...) {
    self.function = function
    self.arguments = arguments
    self.types = types
    self.objects = objects
  }

  var testDescription: String { "\(function)(\(arguments))" }
}

private let inferences = [
  InferenceCase("genericOne(_:)", "1", "A = Int"),
  InferenceCase("genericOne(_:)", "1.0", "A = Double"),
  InferenceCase("genericOne(_:)", "true", "A = Bool"),
  InferenceCase("genericOne(_:)", "'a'", "A = String"),
  InferenceCase("genericOne(_:)", "'\\xff'", "A = String"),
  InferenceCase("genericOne(_:)", "nil", ""),
  InferenceCase("genericOne(_:)", "{1, 2}", "A = Array<Int>"),
  InferenceCase("genericOne(_:)", "{}", "A = Array<Any>"),
  InferenceCase("genericOne(_:)", "{1, 'a'}", "A = Array<Any>"),
  InferenceCase("genericOne(_:)", "{1, 2.5}", "A = Array<Double>"),
  InferenceCase("genericOne(_:)", "{{1}, {2.5}}", "A = Array<Any>"),
  InferenceCase("genericOne(_:)", "{a = 1, b = 2.5}", "A = Dictionary<String, Double>"),
  InferenceCase("genericOne(_:)", "{[1.5] = 1}", ""),
  InferenceCase("genericOne(_:)", "function() end", ""),
  InferenceCase("genericOne(_:)", "...", "A = GenericSquare", GenericSquare()),
  InferenceCase("genericOne(_:)", "{...}", "A = Array<GenericSquare>", GenericSquare()),
  InferenceCase(
    "genericOne(_:)", "{...}", "A = Array<GenericShape>", GenericSquare(), GenericShape()),
  // Two that share a superclass, but neither is the other's.
  InferenceCase("genericOne(_:)", "{...}", "A = Array<Any>", GenericSquare(), GenericCircle()),

  InferenceCase("genericSame(_:_:)", "1, 2", "A = Int"),
  InferenceCase("genericSame(_:_:)", "1, 2.5", "A = Double"),
  InferenceCase("genericSame(_:_:)", "2.5, 1", "A = Double"),
  InferenceCase("genericSame(_:_:)", "1, nil", "A = Int"),
  InferenceCase("genericSame(_:_:)", "1, 'a'", "A would stand for both Int and String"),
  InferenceCase("genericSame(_:_:)", "true, 1", "A would stand for both Bool and Int"),
  InferenceCase("genericSame(_:_:)", "{1}, {'a'}", "A would stand for both [Int] and [String]"),
  InferenceCase(
    "genericSame(_:_:)", "...", "A = GenericShape", GenericShape(), GenericSquare()),
  InferenceCase(
    "genericSame(_:_:)", "...", "A = GenericShape", GenericSquare(), GenericShape()),
  InferenceCase(
    "genericSame(_:_:)", "...",
    "A would stand for both InterceptionFixture.GenericSquare and InterceptionFixture.GenericCircle",
    GenericSquare(), GenericCircle()),
  // What Swift says outweighs what Lua's value is by itself, in either order.
  InferenceCase("genericSame(_:_:)", "1, ...", "A = GenericShape", GenericShape()),
  InferenceCase("genericSame(_:_:)", "(...), 1", "A = GenericShape", GenericShape()),

  InferenceCase("genericMaybe(_:_:)", "nil, nil", ""),
  InferenceCase("genericMaybe(_:_:)", "nil, 1", "A = Int"),
  InferenceCase("genericMaybe(_:_:)", "'a', nil", "A = String"),
  InferenceCase("genericChanged(_:_:)", "1, 2.5", "A = Double"),

  InferenceCase("genericList(_:)", "{1, 2.5}", "A = Double"),
  InferenceCase("genericList(_:)", "{}", "A = Any"),
  InferenceCase("genericList(_:)", "{1, 'a'}", "A = Any"),
  InferenceCase("genericList(_:)", "{...}", "A = GenericShape", GenericCircle(), GenericShape()),
  InferenceCase("genericList(_:)", "1", ""),
  InferenceCase("genericLists(_:)", "{{1}}", "A = Int"),
  InferenceCase("genericLists(_:)", "{}", ""),
  InferenceCase("genericAmong(_:_:)", "1, {2.5}", "A = Double"),
  InferenceCase("genericAmong(_:_:)", "1, {}", "A would stand for both Int and Any"),
  InferenceCase("genericLookUp(_:_:)", "{a = 1}, 'b'", "A = String, B = Int"),
  InferenceCase("genericLookUp(_:_:)", "{[2] = 'x'}, 3", "A = Int, B = String"),
  InferenceCase("genericLookUp(_:_:)", "{}, 3", "A = Int"),
  InferenceCase("genericPair(_:)", "{1, 'a'}", "A = Int, B = String"),
  InferenceCase("genericPair(_:)", "{1}", "A = Int"),
  InferenceCase("genericPair(_:)", "{1, 2, 3}", "A = Int, B = Int"),
  InferenceCase("genericSum(_:_:)", "{1, 2}, 3", "A = Array<Int>, B = Int"),
  // A sequence tells its elements' type with more certainty than a value of Lua's.
  InferenceCase("genericSum(_:_:)", "{1.5}, 3", "A = Array<Double>, B = Double"),

  InferenceCase("genericMapped(_:_:)", "1, function() end", "A = Int, B = Any"),
  InferenceCase("genericHashed(_:_:)", "1, function() end", "A = Int, B = AnyHashable"),
  InferenceCase(
    "genericHeld(_:_:)", "(...), function() end", "A = GenericSquare", GenericSquare()),
  InferenceCase("genericHeld(_:_:)", "nil, function() end", ""),
  InferenceCase(
    "genericFilled(_:_:)", "(...), 1", "A = Double", GenericCrate<Double>()),
  InferenceCase("genericFilled(_:_:)", "(...), 1", "A = String", GenericBarrel()),
  InferenceCase("genericFilled(_:_:)", "(...), 1", "A = Int", GenericShape()),
]

@Suite struct TypeInferenceTests {
  // Never changed, and reading it is slow.
  private static let program = Result { try RunningProgram() }

  private func function(_ name: String) throws -> RunningFunction {
    let name = "InterceptionFixture.\(name)"
    let found = try Self.program.get().patchPoints.filter {
      $0.declaration.qualifiedName == name
    }
    try #require(found.count == 1)
    return found[0]
  }

  private func text(_ types: [TypeNode: any Any.Type]) -> String {
    types.map { "\($0.key.shortDescription()) = \($0.value)" }.sorted().joined(separator: ", ")
  }

  @Test(arguments: inferences)
  func `what arguments tell of generic parameters`(_ inference: InferenceCase) throws {
    let program = try Self.program.get()
    let function = try function(inference.function)
    let generics = try #require(try FunctionGenerics(function, in: program))
    let found = try LuaRig().reading(inference.arguments, inference.objects) { reader in
      var inference = TypeInference(generics, in: program)
      var reader = reader
      for parameter in function.declaration.parameters {
        inference.learn(parameter.type, &reader)
      }
      inference.assume(function)
      do throws(PlanError) {
        return text(try inference.types(function))
      } catch {
        return error.description
      }
    }
    if inference.types.contains("would stand") {
      #expect(found.hasSuffix(inference.types), "\(found)")
    } else {
      #expect(found == inference.types)
    }
  }

  @Test func `what the receiver has told is not changed by arguments`() throws {
    let program = try Self.program.get()
    let function = try function("genericSame(_:_:)")
    let generics = try #require(try FunctionGenerics(function, in: program))
    let types = try LuaRig().reading("...", [GenericShape()]) { reader in
      var inference = TypeInference(generics, in: program)
      var reader = reader
      inference.learn(.genericParameter(depth: 0, index: 0), GenericSquare.self)
      inference.settle()
      inference.learn(.genericParameter(depth: 0, index: 0), &reader)
      return Result { text(try inference.types(function)) }
    }
    #expect(try types.get() == "A = GenericSquare")
  }
}

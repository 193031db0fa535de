// SPDX-License-Identifier: MIT

import Expectations
import InterceptionFixture
import Testing
import WaxwingInterception

/// A shape as reflection would describe the type, and what `swiftc -O -emit-ir` of Swift 6.3.1
/// passes and returns for it.
struct ShapeCase: CustomTestStringConvertible, Sendable {
  var name: String
  var shape: TypeShape
  /// As in LLVM's notation, with the offset where it is not plain from the sizes.
  var lowered: String

  var testDescription: String { name }
}

private let int = TypeShape.integer(size: 8)
private let int8 = TypeShape.integer(size: 1)
private let int16 = TypeShape.integer(size: 2)
private let int32 = TypeShape.integer(size: 4)
private let bool = TypeShape.integer(size: 1)
private let optionalInt = TypeShape.payload(size: 8, tagSize: 1, alignment: 8)
private let optionalInt32 = TypeShape.payload(size: 4, tagSize: 1, alignment: 4)
private let optionalFloat = optionalInt32
private let twoInt32 = TypeShape.fields([int32, int32])
private let threeInt8 = TypeShape.fields([int8, int8, int8])
private let e2 = TypeShape.payload(size: 2, tagSize: 1, alignment: 2)

private func vector(_ element: TypeShape.LaneKind, lane: Int, size: Int) -> TypeShape {
  let kind = TypeShape.Kind.vector(element: element, laneSize: lane)
  return TypeShape(
    size: size, alignment: min(size, 16), leaves: [.init(offset: 0, size: size, kind: kind)])
}

let shapeCases = [
  ShapeCase(name: "{Int32, Int32}", shape: twoInt32, lowered: "i64"),
  ShapeCase(name: "{Bool, Bool, Int}", shape: .fields([bool, bool, int]), lowered: "i16 i64"),
  ShapeCase(
    name: "{Int8, Int32, Double}", shape: .fields([int8, int32, .double]), lowered: "i64 f64"),
  ShapeCase(name: "{Float, Float}", shape: .fields([.float, .float]), lowered: "f32 f32"),
  ShapeCase(
    name: "{Double x 4}", shape: .fields([.double, .double, .double, .double]),
    lowered: "f64 f64 f64 f64"),
  ShapeCase(
    name: "{Double x 5}", shape: .fields(Array(repeating: .double, count: 5)), lowered: "indirect"),
  ShapeCase(
    name: "{Int x 5}", shape: .fields(Array(repeating: int, count: 5)), lowered: "indirect"),
  ShapeCase(name: "{Int8 x 3}", shape: threeInt8, lowered: "i32"),
  ShapeCase(name: "{Float, Int32}", shape: .fields([.float, int32]), lowered: "f32 i32"),
  ShapeCase(
    name: "{Int8, Float, Int8}", shape: .fields([int8, .float, int8]), lowered: "i8 f32 i8"),
  ShapeCase(
    name: "{Int16, Int16, Float, Int8}", shape: .fields([int16, int16, .float, int8]),
    lowered: "i32 f32 i8"),
  ShapeCase(name: "{Int?, Int}", shape: .fields([optionalInt, int]), lowered: "i64 i8 i64"),
  ShapeCase(name: "{Int32?, Bool}", shape: .fields([optionalInt32, bool]), lowered: "i64"),
  ShapeCase(
    name: "{Int8, Double, Int8, Double}", shape: .fields([int8, .double, int8, .double]),
    lowered: "i8 f64 i8 f64"),
  ShapeCase(name: "{Int32 x 3}", shape: .fields([int32, int32, int32]), lowered: "i64 i32"),
  ShapeCase(name: "{Int8, Int64, Int8}", shape: .fields([int8, int, int8]), lowered: "i8 i64 i8"),
  ShapeCase(
    name: "{{Int8 x 3}, Int8, {Int32, Int32}}", shape: .fields([threeInt8, int8, twoInt32]),
    lowered: "i64 i32"),
  ShapeCase(name: "Int8?", shape: .payload(size: 1, tagSize: 1, alignment: 1), lowered: "i16"),
  ShapeCase(name: "Int16?", shape: .payload(size: 2, tagSize: 1, alignment: 2), lowered: "i32"),
  ShapeCase(name: "Int32?", shape: optionalInt32, lowered: "i64"),
  ShapeCase(name: "Float?", shape: optionalFloat, lowered: "i64"),
  ShapeCase(name: "Double?", shape: optionalInt, lowered: "i64 i8"),
  ShapeCase(name: "Int??", shape: .payload(size: 9, tagSize: 1, alignment: 8), lowered: "i64 i16"),
  ShapeCase(
    name: "String?", shape: .payload(size: 16, tagSize: 0, alignment: 8), lowered: "i64 i64"),
  ShapeCase(
    name: "{Bool, Bool, Int}?", shape: .payload(size: 16, tagSize: 0, alignment: 8),
    lowered: "i64 i64"),
  ShapeCase(
    name: "{Int x 5}?", shape: .payload(size: 40, tagSize: 1, alignment: 8), lowered: "indirect"),
  ShapeCase(
    name: "UInt128?", shape: .payload(size: 16, tagSize: 1, alignment: 16), lowered: "i64 i64 i8"),
  ShapeCase(
    name: "enum {Int, String, none}", shape: .payload(size: 16, tagSize: 1, alignment: 8),
    lowered: "i64 i64 i8"),
  ShapeCase(name: "enum {Int8, Int16}", shape: e2, lowered: "i32"),
  ShapeCase(
    name: "enum {(Int32, Int32, Int8), none}", shape: .payload(size: 9, tagSize: 1, alignment: 4),
    lowered: "i64 i16"),
  ShapeCase(
    name: "{enum {Int8, Int16}, Int8, Float?}", shape: .fields([e2, int8, optionalFloat]),
    lowered: "i64 i8"),
  ShapeCase(name: "Int128", shape: .integer(size: 16), lowered: "i128"),
  ShapeCase(
    name: "SIMD2<Float>", shape: vector(.floatingPoint, lane: 4, size: 8), lowered: "f32 f32"),
  ShapeCase(
    name: "SIMD4<Float>", shape: vector(.floatingPoint, lane: 4, size: 16), lowered: "v128"),
  ShapeCase(
    name: "SIMD4<Double>", shape: vector(.floatingPoint, lane: 8, size: 32), lowered: "v128 v128"),
  ShapeCase(name: "SIMD8<Int8>", shape: vector(.integer, lane: 1, size: 8), lowered: "i64"),
  ShapeCase(
    name: "Float16",
    shape: TypeShape(size: 2, alignment: 2, leaves: [.init(offset: 0, size: 2, kind: .float)]),
    lowered: "f16"),
  ShapeCase(name: "()", shape: .empty, lowered: ""),
]

@Suite struct LoweringTests {
  @Test(arguments: shapeCases)
  func `a shape is cut as the compiler cuts it`(_ given: ShapeCase) {
    let lowering = AggregateLowering(given.shape)
    let text = lowering.components.map { component in
      let letter =
        switch component.kind {
        case .integer: "i"
        case .floatingPoint: "f"
        case .vector: "v"
        }
      return letter + String(component.size * 8)
    }.joined(separator: " ")
    #expect((lowering.isPassedIndirectly ? "indirect" : text) == given.lowered)
  }

  @Test func `no piece reaches beyond its value`() {
    let layout = CallLayout(parameters: [.direct(threeInt8)], result: .direct(threeInt8))
    expectEqual(layout.parameters[0].pieces.map(\.byteCount), [3])
    expectEqual(layout.result.pieces.map(\.byteCount), [3])
  }

  @Test func `arguments go to the stack when their registers are used up`() {
    let layout = CallLayout(
      parameters: Array(repeating: .direct(int), count: 8)
        + Array(repeating: .direct(.double), count: 9), result: .direct(.empty))
    expectEqual(layout.parameters[5].pieces.map(\.bank), [.integer])
    expectEqual(layout.parameters[7].pieces.map(\.index), [1])
    expectEqual(layout.parameters[16].pieces.map(\.bank), [.stack])
    expectEqual(layout.stackBytes, 24)
  }

  @Test func `a self that is too large travels by address in the context register`() {
    let five = TypeShape.fields(Array(repeating: int, count: 5))
    let layout = CallLayout(
      parameters: [.direct(int)], result: .direct(int), selfForm: .exploded(five))
    #expect(layout.selfPlacement?.isIndirect == true)
    expectEqual(layout.selfPlacement?.pieces.map(\.bank), [.selfRegister])
  }
}

/// Calls the compiled function with the value where the layout says, between an integer and a
/// double, and reads the result where it says.
private func echo<Value: Equatable>(
  _ name: String, _ value: Value, _ shape: TypeShape,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let point = try patchPoint("Echo.\(name)")
  try #require(MemoryLayout<Value>.size == shape.size, sourceLocation: sourceLocation)
  let layout = CallLayout(
    parameters: [.direct(int), .direct(shape), .direct(.double)], result: .direct(shape))
  let result = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  defer { result.deallocate() }

  withUnsafePointer(to: value) { value in
    Invocation.perform(
      point.function, stackBytes: layout.stackBytes,
      arrange: { frame in
        withUnsafeBytes(of: 77) { frame.writeArgument(layout.parameters[0], from: $0.baseAddress!) }
        withUnsafeBytes(of: 8.25) {
          frame.writeArgument(layout.parameters[2], from: $0.baseAddress!)
        }
        if layout.parameters[1].isIndirect {
          withUnsafeBytes(of: value) {
            frame.writeArgument(layout.parameters[1], from: $0.baseAddress!)
          }
        } else {
          frame.writeArgument(layout.parameters[1], from: value)
        }
        if layout.result.isIndirect {
          frame.pointee.indirectResult = UInt64(UInt(bitPattern: result))
        }
      },
      collect: { frame in frame.readResult(layout.result, into: result) })
  }
  #expect(result.move() == value, sourceLocation: sourceLocation)
  #expect(around == (77, 8.25), sourceLocation: sourceLocation)
}

extension FixtureTests {
  @Suite struct CompiledLayoutTests {
    @Test func `structs`() throws {
      try echo("twoInt32", TwoInt32.sample, twoInt32)
      try echo("twoBoolsInt", TwoBoolsInt.sample, .fields([bool, bool, int]))
      try echo("int8Int32Double", Int8Int32Double.sample, .fields([int8, int32, .double]))
      try echo("twoFloats", TwoFloats.sample, .fields([.float, .float]))
      try echo("fourDoubles", FourDoubles.sample, .fields([.double, .double, .double, .double]))
      try echo("fiveWords", FiveWords.sample, .fields(Array(repeating: int, count: 5)))
      try echo("threeInt8", ThreeInt8.sample, threeInt8)
      try echo("floatInt32", FloatInt32.sample, .fields([.float, int32]))
      try echo("int8FloatInt8", Int8FloatInt8.sample, .fields([int8, .float, int8]))
      try echo("optionalIntInt", OptionalIntInt.sample, .fields([optionalInt, int]))
      try echo("optionalInt32Bool", OptionalInt32Bool.sample, .fields([optionalInt32, bool]))
      try echo("alternating", Alternating.sample, .fields([int8, .double, int8, .double]))
      try echo("nested", Nested.sample, .fields([threeInt8, int8, twoInt32]))
      try echo(
        "vectors", Vectors.sample,
        .fields([
          vector(.floatingPoint, lane: 4, size: 16), vector(.floatingPoint, lane: 8, size: 32),
        ]))
    }

    @Test func `enums and optionals`() throws {
      let payload = TypeShape.payload(size: 16, tagSize: 1, alignment: 8)
      try echo("payload", Payload.number(-5), payload)
      try echo("payload", Payload.nothing, payload)
      try echo("smallPayload", SmallPayload.a(-1), e2)
      try echo("smallPayload", SmallPayload.b(-300), e2)
      try echo("optionalInt8", Int8?.some(-7), .payload(size: 1, tagSize: 1, alignment: 1))
      try echo("optionalInt32", Int32?.some(-7), optionalInt32)
      try echo("optionalInt32", Int32?.none, optionalInt32)
      try echo("optionalFloat", Float?.some(1.5), optionalFloat)
      try echo("optionalDouble", Double?.some(-2.5), optionalInt)
      try echo("optionalString", String?.none, .payload(size: 16, tagSize: 0, alignment: 8))
      try echo(
        "optionalOptionalInt", Int??.some(.some(3)), .payload(size: 9, tagSize: 1, alignment: 8))
      try echo("int128", Int128.min + 1, .integer(size: 16))
    }

    @Test func `a 128-bit integer is on the stack as a whole and leaves its register`() throws {
      let point = try patchPoint("Echo.wide")
      let wide = CallLayout.Value.direct(.integer(size: 16))
      let five = [CallLayout.Value](repeating: .direct(int), count: 5)
      let layout = CallLayout(
        parameters: five + [wide, .direct(int), .direct(int)], result: wide)
      var result: Int128 = 0
      Invocation.perform(
        point.function, stackBytes: layout.stackBytes,
        arrange: { frame in
          for (index, parameter) in layout.parameters.enumerated() {
            var value = index == 5 ? Int128.min : Int128(index)
            frame.writeArgument(parameter, from: &value)
          }
        }, collect: { frame in frame.readResult(layout.result, into: &result) })
      expectEqual(result, Int128.min + 0 + 1 + 2 + 3 + 4)
      expectEqual(around.0, 6 + 7)
    }

    @Test func `a struct begins in the last register and ends on the stack`() throws {
      let point = try patchPoint("Echo.split")
      let shape = TypeShape.fields([optionalInt, int])
      let layout = CallLayout(
        parameters: [CallLayout.Value](repeating: .direct(int), count: 5)
          + [.direct(shape), .direct(int8)], result: .direct(shape))
      expectEqual(layout.parameters[5].pieces.map(\.bank), [.integer, .stack, .stack])
      var value = OptionalIntInt.sample
      var result = OptionalIntInt.sample
      result.b = 0
      Invocation.perform(
        point.function, stackBytes: layout.stackBytes,
        arrange: { frame in
          for (index, parameter) in layout.parameters.enumerated() where index != 5 {
            var number = index
            frame.writeArgument(parameter, from: &number)
          }
          frame.writeArgument(layout.parameters[5], from: &value)
        }, collect: { frame in frame.readResult(layout.result, into: &result) })
      expectEqual(result, value)
      expectEqual(around.0, 0 + 1 + 2 + 3 + 4 + 6)
    }

    @Test func `self of a struct comes after the arguments or in the context register`() throws {
      var small = TwoBoolsInt.sample
      let shape = TypeShape.fields([bool, bool, int])
      let plus = CallLayout(
        parameters: [.direct(int)], result: .direct(int), selfForm: .exploded(shape))
      let smallPlacement = try #require(plus.selfPlacement)
      var sum = 0
      Invocation.perform(
        try patchPoint("TwoBoolsInt.plus").function, stackBytes: plus.stackBytes,
        arrange: { frame in
          var argument = 100
          frame.writeArgument(plus.parameters[0], from: &argument)
          frame.writeArgument(smallPlacement, from: &small)
        }, collect: { frame in frame.readResult(plus.result, into: &sum) })
      expectEqual(sum, small.plus(100))

      let large = FiveWords.sample
      let indirect = CallLayout(
        parameters: [.direct(int)], result: .direct(int),
        selfForm: .exploded(.fields(Array(repeating: int, count: 5))))
      let largePlacement = try #require(indirect.selfPlacement)
      try withUnsafePointer(to: large) { large in
        Invocation.perform(
          try patchPoint("FiveWords.plus").function, stackBytes: indirect.stackBytes,
          arrange: { frame in
            var argument = 100
            var address = large
            frame.writeArgument(indirect.parameters[0], from: &argument)
            frame.writeArgument(largePlacement, from: &address)
          }, collect: { frame in frame.readResult(indirect.result, into: &sum) })
      }
      expectEqual(sum, large.plus(100))
    }
  }
}

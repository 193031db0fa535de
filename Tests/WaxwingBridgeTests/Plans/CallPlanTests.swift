// SPDX-License-Identifier: MIT

import CWaxwingLua
import InterceptionFixture
import LuaRig
import Testing
import WaxwingDeclarations
import WaxwingInterception
import WaxwingReflection
import WaxwingValues

@testable import WaxwingBridge

/// A function of the fixture and where its plan has the values.
struct PlanCase: CustomTestStringConvertible, Sendable {
  var function: String
  /// For each argument what C moves, `-` if Swift has to, and its place: `i` and `v` are integer and
  /// vector registers, `s` words on the stack, `&` an address.
  var arguments: String
  /// What becomes of the result, and the first register that it is in.
  var result: String

  init(_ function: String, _ arguments: String, _ result: String) {
    self.function = function
    self.arguments = arguments
    self.result = result
  }

  var testDescription: String { function }
}

// As `swiftc -O -emit-ir` of Swift 6.3.1 passes them on x86-64.
private let plans = [
  PlanCase("Account.sum(_:_:)", "int64 i0, int64 i1", "int64 i0"),
  PlanCase(
    "Account.ten(_:_:_:_:_:_:_:_:_:_:)",
    "double v0, double v1, double v2, double v3, double v4, double v5, double v6, double v7, "
      + "- s0, - s1", "general"),
  PlanCase(
    "Account.nine(_:_:_:_:_:_:_:_:_:)",
    "int64 i0, int64 i1, int64 i2, int64 i3, int64 i4, int64 i5, - s0, - s1, - s2", "general"),
  // Strings are two words; the last one has one register left.
  PlanCase(
    "Account.mixed(_:_:_:_:_:_:_:_:)",
    "int8 i0, double v0, string i1 i2, float v1, boolean i3, int32 i4, - i5 s0, - s1", "codec i0"),
  PlanCase("Account.greeting(_:)", "string i0 i1", "codec i0"),
  PlanCase("Account.withdraw(_:)", "int64 i0", "int64 i0"),
  PlanCase("Account.statement(_:)", "int64 i0", "general"),
  PlanCase("Account.double(_:)", "int64 i0", "int64 i0"),
  PlanCase("Echo.twoInt32(_:_:_:)", "int64 i0, - i1, double v0", "codec i0"),
  PlanCase("Echo.twoBoolsInt(_:_:_:)", "int64 i0, - i1 i2, double v0", "codec i0"),
  PlanCase("Echo.twoFloats(_:_:_:)", "int64 i0, - v0 v1, double v2", "general"),
  PlanCase("Echo.fourDoubles(_:_:_:)", "int64 i0, - v0 v1 v2 v3, double v4", "general"),
  PlanCase("Echo.fiveWords(_:_:_:)", "int64 i0, - &i1, double v0", "general"),
  PlanCase("Echo.optionalInt8(_:_:_:)", "int64 i0, - i1, double v0", "codec i0"),
  PlanCase("Echo.optionalDouble(_:_:_:)", "int64 i0, - i1 i2, double v0", "codec i0"),
  PlanCase("Echo.optionalString(_:_:_:)", "int64 i0, - i1 i2, double v0", "general"),
  PlanCase(
    "Echo.split(_:_:_:_:_:_:_:)",
    "int64 i0, int64 i1, int64 i2, int64 i3, int64 i4, - i5 s0 s1, - s2", "codec i0"),
]

@Suite struct CallPlanTests {
  // Never changed, and reading it is slow.
  private static let program = Result { try RunningProgram() }

  init() { LuaRig.installCodecs() }

  private func plan(_ name: String, _ known: KnownSignatures? = nil) throws -> CallPlan {
    let program = try Self.program.get()
    let name = "InterceptionFixture.\(name)"
    let found = program.patchPoints.filter { $0.declaration.qualifiedName == name }
    try #require(found.count == 1)
    return try CallPlan(found[0], bound: nil, in: program, .read, known)
  }

  private func arguments(_ plan: CallPlan) -> String {
    zip(plan.arguments, plan.steps).map { argument, step in
      let move =
        step.compiled == nil ? "-" : step.plain.map { "\($0)" } ?? "string"
      return "\(move) \(place(argument.location, argument.codec.size, isResult: false))"
    }.joined(separator: ", ")
  }

  private func result(_ plan: CallPlan) -> String {
    switch plan.resultStrategy {
    case .nothing: "nothing"
    case .plain(let kind, let offset): "\(kind) \(register(offset, true))"
    case .codec(_, let offset): "codec \(register(offset, true))"
    case .instance: "instance"
    case .general: "general"
    }
  }

  private func place(_ location: ValueLocation, _ size: Int, isResult: Bool) -> String {
    switch location {
    case .none: "nowhere"
    case .frame(let offset):
      stride(from: 0, to: size, by: 8).map { register(offset + $0, isResult) }
        .joined(separator: " ")
    case .stack(let offset): "s\(offset / 8)"
    case .addressInFrame(let offset): "&\(register(offset, isResult))"
    case .addressOnStack(let offset): "&s\(offset / 8)"
    case .scattered(let pieces): pieces.map(text).joined(separator: " ")
    case .elements(let elements):
      elements.map { "(\(place($0.location, $0.size, isResult: isResult)))" }.joined()
    }
  }

  private func text(_ piece: LoweredPiece) -> String {
    switch piece.bank {
    case .integer: "i\(piece.index)"
    case .vector: "v\(piece.index)"
    case .stack: "s\(piece.index)"
    case .selfRegister: "self"
    }
  }

  /// What is so many bytes into a frame.
  private func register(_ offset: Int, _ isResult: Bool) -> String {
    for bank in [LoweredPiece.Bank.integer, .vector] {
      for index in 0..<8 {
        let piece = LoweredPiece(bank: bank, index: index, byteOffset: 0, byteCount: 8)
        if Frame.offset(of: piece, isResult: isResult) == offset { return text(piece) }
      }
    }
    return "\(offset)?"
  }

  #if arch(x86_64)
    @Test(arguments: plans)
    func `a plan has the values where the compiler passes them`(_ expected: PlanCase) throws {
      let plan = try plan(expected.function)
      #expect(arguments(plan) == expected.arguments)
      #expect(result(plan) == expected.result)
    }
  #endif

  @Test(arguments: plans)
  func `what C moves is in the frame as it is in memory, and nothing else is`(_ expected: PlanCase)
    throws
  {
    let plan = try plan(expected.function)
    for (argument, step) in zip(plan.arguments, plan.steps) {
      guard let compiled = step.compiled else { continue }
      #expect(argument.location.frameOffset == Int(compiled.offset), "\(argument.name)")
      let move = step.plain?.move ?? WAX_LUA_MOVE_STRING
      #expect(UInt32(compiled.move) == move.rawValue, "\(argument.name)")
    }
  }

  @Test func `functions that are called alike share what their plans have in common`() throws {
    let program = try Self.program.get()
    let known = KnownSignatures()
    var signatures: [ObjectIdentifier: Int] = [:]
    for function in program.patchPoints where function.declaration.module == "InterceptionFixture" {
      guard let own = try? CallPlan(function, bound: nil, in: program, .read) else { continue }
      let shared = try CallPlan(function, bound: nil, in: program, .read, known)
      signatures[ObjectIdentifier(shared.signature), default: 0] += 1
      #expect(description(shared) == description(own), "\(function.declaration.qualifiedName)")
    }
    #expect(signatures.values.contains { $0 > 1 })
    #expect(signatures.count > 1)
    let plans = try ["sum(_:_:)", "difference(_:_:)", "greeting(_:)"].map {
      try plan("Account.\($0)", known)
    }
    #expect(plans[0].signature === plans[1].signature)
    #expect(plans[0].signature !== plans[2].signature)
    known.close()
    #expect(try plan("Account.sum(_:_:)", known).signature !== plans[0].signature)
  }

  private func description(_ plan: CallPlan) -> [String] {
    [
      arguments(plan), result(plan), "\(plan.receiver)", "\(plan.arguments.map(\.name))",
      "\(plan.arguments.map(\.isInout))", "\(plan.steps.map(\.isOwned))", "\(plan.ownsArguments)",
      "\(plan.inouts.count) \(plan.variables.count) \(plan.stackBytes) \(plan.scratchBytes)",
      "\(plan.receiverScratch) \(plan.callBytes) \(plan.consumesReceiver)",
      "\(plan.mayConsumeReceiver) \(plan.isThrowing) \(plan.isAsync) \(plan.isAccessor)",
      "\(String(describing: plan.result?.type)) \(String(describing: plan.initializedType))",
      "\(String(describing: plan.selfResult)) \(String(describing: plan.resultAddress))",
      "\(plan.callerActor) \(plan.isolation)",
    ]
  }

  @Test func `a function that takes something over says so`() throws {
    #expect(try !plan("Account.sum(_:_:)").ownsArguments)
    #expect(try !plan("Account.greeting(_:)").ownsArguments)
    #expect(try plan("Account.sum(_:_:)").isThrowing == false)
    #expect(try plan("Account.withdraw(_:)").isThrowing)
    #expect(try plan("Meter.later(_:)").isAsync)
  }

  @Test(arguments: [
    ("Account.sum(_:_:)", "object"), ("Account.double(_:)", "metatype"),
    ("Meter.read()", "value"), ("Meter.increment()", "mutableValue"),
    ("Echo.twoInt32(_:_:_:)", "none"), ("freeNine(_:_:_:_:_:_:_:_:_:)", "none"),
    ("Meter.mutatingFive(_:_:_:_:_:_:_:)", "mutableValue"),
    ("FiveWords.plus(_:)", "value"), ("TwoBoolsInt.plus(_:)", "value"),
    ("TwoBoolsInt.set(_:)", "mutableValue"),
  ])
  func `what a function is called on`(function: String, receiver: String) throws {
    let plan = try plan(function)
    let found =
      switch plan.receiver {
      case .none: "none"
      case .object: "object"
      case .metatype: "metatype"
      case .uninitialized: "uninitialized"
      case .value: "value"
      case .mutableValue: "mutableValue"
      case .opaque: "opaque"
      case .anyObject: "anyObject"
      case .captures: "captures"
      }
    #expect(found == receiver)
  }
}

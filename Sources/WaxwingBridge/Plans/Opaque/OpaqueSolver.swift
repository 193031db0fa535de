// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingReflection

/// Finds the registers of a function's values if some of its types are not known.
///
/// A dynamic function saves every argument register before it asks for its replacement
/// (`PrologueReader`). So what the unknown types take is what the known ones leave: all ways in which the
/// unknown ones could travel are tried, and those count that save just these registers. What all of them
/// agree on is known; the rest stays in its registers.
struct OpaqueSolver {
  typealias Part = FunctionShape.Part

  struct Solution {
    let receiverKind: FunctionShape.ReceiverKind
    let trailing: TrailingArguments?
    let layout: CallLayout
    let parameters: [[Part]]
    let placements: [[CallLayout.Placement]]
    let opaque: OpaqueParts
  }

  /// One way in which the function could be called.
  private struct Candidate {
    let receiverKind: FunctionShape.ReceiverKind
    let parameters: [[Part]]
    let layout: CallLayout
    let placements: [[CallLayout.Placement]]
    let trailing: TrailingArguments?
    let takesErrorAddress: Bool
  }

  private let signature: PartialSignature
  private let function: RunningFunction
  /// How many ways are tried at most.
  private static let mostCandidates = 4096

  init(_ signature: PartialSignature) {
    self.signature = signature
    function = signature.source.function
  }

  /// - Throws: `PlanError` if no way is the function's.
  func solve() throws(PlanError) -> Solution {
    guard let reason = signature.reason else {
      throw PlanError(function, "its signature is known")
    }
    let all = fitting()
    // The caller's actor is rare, and so is the address of a getter's error. They look like words of an
    // unknown value. These stay where they are, whichever it is.
    let usual = all.filter { $0.layout.callerActor.isEmpty && !$0.takesErrorAddress }
    let candidates = usual.isEmpty ? all : usual
    guard let first = candidates.first else { throw reason }
    if usual.isEmpty, all.contains(where: \.takesErrorAddress) {
      throw FunctionShape.unknownError(ofGetter: function)
    }
    let isSure = all.allSatisfy {
      $0.layout.trailingPointers == first.layout.trailingPointers
        && $0.trailing?.arguments == first.trailing?.arguments
        && $0.layout.stackBytes == first.layout.stackBytes
    }
    guard isSure, candidates.allSatisfy({ $0.layout.callerActor == first.layout.callerActor })
    else { throw reason }
    var unplaced: Set<Int> = []
    for index in first.placements.indices
    where candidates.contains(where: { $0.placements[index] != first.placements[index] }) {
      unplaced.insert(index)
    }
    return Solution(
      receiverKind: receiverKind(candidates), trailing: first.trailing, layout: first.layout,
      parameters: first.parameters, placements: first.placements,
      opaque: OpaqueParts(
        reason: reason, parameters: Set(signature.unknowns.keys).union(unplaced),
        unplaced: unplaced, result: signature.unknownResult != nil))
  }

  private func receiverKind(_ candidates: [Candidate]) -> FunctionShape.ReceiverKind {
    if signature.hasValueReceiver {
      let isSure = candidates.allSatisfy {
        $0.layout.selfPlacement == candidates[0].layout.selfPlacement
      }
      if signature.unknownReceiver != nil || !isSure { return .opaque }
    }
    return candidates[0].receiverKind
  }

  // MARK: Candidates

  private func fitting() -> [Candidate] {
    guard let code = function.code,
      let saved = PrologueReader.savedArguments(
        of: code, identity: UnsafeRawPointer(bitPattern: function.address))
    else { return [] }
    let isResultKnown = signature.unknownResult == nil
    return candidates().filter {
      SavedArguments($0.layout).fits(saved) && (!isResultKnown || saved.fitsResult(of: $0.layout))
    }
  }

  private func candidates() -> [Candidate] {
    let names = Set(signature.unknowns.values.map(\.typeName))
      .union([signature.unknownReceiver?.typeName].compactMap(\.self)).sorted()
    let ways = OpaqueValue.Registers.all
    var assignments: [[String: OpaqueValue.Registers]] = [[:]]
    for name in names {
      if assignments.count * ways.count > Self.mostCandidates { return [] }
      assignments = assignments.flatMap { known in
        ways.map { known.merging([name: $0]) { first, _ in first } }
      }
    }
    return assignments.flatMap { assignment in
      receiverKinds.flatMap { kind in
        receivers(assignment, kind).flatMap { receiver in
          results.flatMap { result in
            implicitArguments.map { candidate(assignment, kind, receiver, result, $0) }
          }
        }
      }
    }
  }

  /// The possible receivers. A generic function is told its types in another way if the receiver is
  /// passed by address.
  private func receivers(
    _ assignment: [String: OpaqueValue.Registers], _ kind: FunctionShape.ReceiverKind
  ) -> [CallLayout.Value] {
    guard let unknown = signature.unknownReceiver, let registers = assignment[unknown.typeName]
    else { return [signature.layouts.receiver] }
    let isAddress =
      signature.source.generics != nil && kind == .value
      && registers == OpaqueValue.Registers(integers: 1, vectors: 0)
    return [.direct(registers.shape)] + (isAddress ? [.indirect] : [])
  }

  private var receiverKinds: [FunctionShape.ReceiverKind] {
    if signature.hasValueReceiver {
      if let kind = signature.mutation.selfKind(of: function) {
        return [kind == .mutating ? .mutableValue : .value]
      }
      // By address either way: what a call changes has to go back, and where it changes nothing, nothing
      // does.
      let isByAddress =
        signature.unknownReceiver == nil && !signature.layouts.isReceiverInRegisters
      return isByAddress ? [.mutableValue] : [.value, .mutableValue]
    }
    let kind = try? FunctionShape.receiverKind(
      signature.layouts, signature.isReference, signature.mutation)
    return [kind ?? .none]
  }

  /// Arguments that are passed although the symbol does not mention them.
  private enum ImplicitArguments {
    case none, callerActor, errorAddress
  }

  private var implicitArguments: [ImplicitArguments] {
    guard function.isPatchPoint else { return [.none] }
    return [.none] + (function.isAsync ? [.callerActor] : [])
      + (FunctionShape.mayThrowByAddress(function) ? [.errorAddress] : [])
  }

  /// The possible results of an unknown type. Only for async functions does it make a difference to
  /// the arguments whether the result is returned by address.
  private var results: [ResultShape?] {
    guard signature.unknownResult != nil, function.isAsync else { return [nil] }
    return [nil, ResultShape([Part(offset: 0, size: 0, value: .indirect)])]
  }

  private func candidate(
    _ assignment: [String: OpaqueValue.Registers], _ kind: FunctionShape.ReceiverKind,
    _ receiver: CallLayout.Value, _ result: ResultShape?, _ implicit: ImplicitArguments
  ) -> Candidate {
    var layouts = signature.layouts
    for (index, unknown) in signature.unknowns {
      guard let registers = assignment[unknown.typeName] else { continue }
      layouts.parameters[index] = [
        Part(
          offset: 0, size: MemoryLayout<OpaqueValue.Words>.size, value: .direct(registers.shape))
      ]
    }
    layouts.receiver = receiver
    if let result { layouts.result = result }
    if implicit == .errorAddress { layouts.thrown = .indirect }
    let layout = layouts.layout(kind, hasCallerActor: implicit == .callerActor)
    return Candidate(
      receiverKind: kind, parameters: layouts.parameters, layout: layout,
      placements: FunctionShape.placements(layouts.parameters, layout),
      trailing: layouts.trailing(kind), takesErrorAddress: implicit == .errorAddress)
  }
}

extension OpaqueSolver {
  /// The layout of a function of which only the registers are known.
  /// - Throws: `PlanError` if the size of its arguments on the stack cannot be told either.
  static func rawLayout(
    _ function: RunningFunction, _ reason: PlanError
  ) throws(PlanError) -> CallLayout {
    guard let code = function.code,
      let saved = PrologueReader.savedArguments(
        of: code, identity: UnsafeRawPointer(bitPattern: function.address))
    else { throw reason }
    let words = saved.stackWords.max().map { $0 + 1 } ?? 0
    // Only what finds no register is on the stack.
    let mayHaveMore =
      !saved.isComplete
      && (saved.registers.integer == 0b11_1111 || saved.registers.vector == 0b1111_1111)
    // More words than there are do no harm to who copies them, but an async function takes its own off.
    if mayHaveMore, function.isAsync { throw reason }
    return CallLayout(rawStackBytes: 8 * max(words, mayHaveMore ? 16 : 0))
  }
}

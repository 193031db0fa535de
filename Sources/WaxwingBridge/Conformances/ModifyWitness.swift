// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import Glibc
internal import WaxwingInterception
internal import WaxwingReflection

/// The `modify` coroutine of a property or subscript that a protocol requires to be settable: what
/// `value.title += "a"` calls. It is made of the getter and the setter in the same witness table.
///
///     begin(buffer: 4 words, indices …, self in r13, Self, Self: P)
///       -> how it goes on, the address of the value
///     how it goes on(buffer, whether an error is thrown past it)
///
/// The caller changes the value in between. As in a `modify` that the compiler makes of a getter and a
/// setter, the setter is called in both cases.
///
/// There for good, like the witness table. Safe to send: everything is fixed.
final class ModifyWitness: @unchecked Sendable {
  typealias Frame = UnsafeMutablePointer<waxwing_frame>

  let requirement: ProtocolRequirement
  /// How the beginning is called: with the buffer, and the indices.
  private let plan: CallPlan
  private let getter: Accessor
  private let setter: Accessor

  private struct Accessor {
    let plan: CallPlan
    let word: UnsafeMutablePointer<UnsafeRawPointer>

    init(_ witness: WitnessFunction) throws(PlanError) {
      plan = try witness.plan()
      // Never nil: it is in a witness table.
      word = UnsafeMutablePointer(bitPattern: witness.function.address).unsafelyUnwrapped
    }
  }

  /// - Parameter word: That of the coroutine.
  init(
    _ requirement: ProtocolRequirement, word: UInt, getter: WitnessFunction,
    setter: WitnessFunction
  ) throws(PlanError) {
    self.requirement = requirement
    self.getter = try Accessor(getter)
    self.setter = try Accessor(setter)
    plan = try getter.planBeginning(word)
  }

  func claim(_ word: UnsafeMutableRawPointer) throws(InterceptionError) {
    try AnsweredPoint.claim(
      InterceptionPoint(
        word: UInt(bitPattern: word), stackBytes: plan.stackBytes, isAsync: false),
      .synchronous(Self.begin), context: Unmanaged.passRetained(self).toOpaque())
  }
}

// MARK: - One access

/// An access from its beginning to its end. Used by one thread at a time: whose access it is.
private final class ModifyAccess {
  let witness: ModifyWitness
  let value: UnsafeMutableRawPointer
  let receiver: UInt64
  let types: [UInt64]
  /// The access's own copies.
  let indices: [(codec: ValueCodec, memory: UnsafeMutableRawPointer)]

  init(
    _ witness: ModifyWitness, value: UnsafeMutableRawPointer, receiver: UInt64, types: [UInt64],
    indices: [(codec: ValueCodec, memory: UnsafeMutableRawPointer)]
  ) {
    self.witness = witness
    self.value = value
    self.receiver = receiver
    self.types = types
    self.indices = indices
  }

  deinit {
    value.deallocate()
    for index in indices {
      index.codec.destroy(index.memory)
      index.memory.deallocate()
    }
  }
}

extension ModifyWitness {
  private static let begin: waxwing_closure_handler = { context, frame in
    guard let context, let frame else { return }
    Unmanaged<ModifyWitness>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.begin(frame) }
  }

  private static let resume: @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void = {
    buffer, _ in
    guard let buffer else { return }
    let access = Unmanaged<ModifyAccess>.fromOpaque(buffer.load(as: UnsafeRawPointer.self))
      .takeRetainedValue()
    access.witness.end(access)
  }

  private func begin(_ frame: Frame) {
    guard let codec = getter.plan.result,
      let buffer = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.integer.0))
    else { return }
    let access = ModifyAccess(
      self, value: ValueBox.allocate(size: codec.size, alignment: codec.alignment),
      receiver: frame.pointee.`self`, types: plan.typeWords(frame),
      indices: plan.arguments.dropFirst().map { argument in
        let memory = ValueBox.allocate(
          size: argument.codec.size, alignment: argument.codec.alignment)
        plan.withValue(of: argument, frame) { argument.codec.copy($0, to: memory) }
        return (argument.codec, memory)
      })
    call(getter, access, access.indices.map(\.memory)) {
      access.value.copyMemory(from: $0, byteCount: codec.size)
    }
    buffer.storeBytes(
      of: UnsafeRawPointer(Unmanaged.passRetained(access).toOpaque()), as: UnsafeRawPointer.self)
    frame.pointee.integer_result.0 = UInt64(
      UInt(bitPattern: unsafeBitCast(Self.resume, to: UnsafeRawPointer.self)))
    frame.pointee.integer_result.1 = UInt64(UInt(bitPattern: access.value))
  }

  /// The setter takes the new value over, and the indices.
  private func end(_ access: ModifyAccess) {
    var copies: [UnsafeMutableRawPointer] = []
    for index in access.indices {
      let copy = ValueBox.allocate(size: index.codec.size, alignment: index.codec.alignment)
      index.codec.copy(index.memory, to: copy)
      copies.append(copy)
    }
    call(setter, access, [access.value] + copies) { _ in }
    for copy in copies { copy.deallocate() }
  }

  private func call(
    _ accessor: Accessor, _ access: ModifyAccess, _ arguments: [UnsafeMutableRawPointer],
    _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    let plan = accessor.plan
    let stackBytes = plan.stackBytes
    withUnsafeTemporaryAllocation(byteCount: plan.callBytes + stackBytes + 32, alignment: 16) {
      memory in
      let stack = memory.baseAddress.unsafelyUnwrapped  // not empty
      let room = stack + (stackBytes + 15) / 16 * 16
      var frame = waxwing_frame()
      frame.stack = stack.assumingMemoryBound(to: UInt64.self)
      frame.`self` = access.receiver
      plan.prepare(&frame, room: room)
      plan.setTypeWords(access.types, &frame)
      for (argument, source) in zip(plan.arguments, arguments) {
        argument.location.scatter(source, size: argument.codec.size, &frame)
      }
      waxwing_invoke(accessor.word.pointee, &frame, stackBytes)
      if let codec = plan.result { body(plan.outcome.collect(codec, &frame, room: room)) }
    }
  }
}

extension CallPlan {
  /// What a call was passed for it to know its types.
  fileprivate func typeWords(_ frame: Frame) -> [UInt64] {
    trailing.map { $0.location.memory(frame)?.load(as: UInt64.self) ?? 0 }
  }

  fileprivate func setTypeWords(_ words: [UInt64], _ frame: Frame) {
    for (word, trailing) in zip(words, trailing) {
      trailing.location.memory(frame)?.storeBytes(of: word, as: UInt64.self)
    }
  }
}

extension WitnessFunction {
  /// How the beginning of a coroutine is called that this is the getter of: as a function that takes
  /// the buffer, then the indices, and returns nothing that a plan knows of.
  fileprivate func planBeginning(_ word: UInt) throws(PlanError) -> CallPlan {
    try plan(of: declaration.beginningOfModify, word: word)
  }
}

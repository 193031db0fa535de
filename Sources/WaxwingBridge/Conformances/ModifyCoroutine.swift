// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Glibc
internal import WaxwingDeclarations
package import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The `modify` coroutine of a property or subscript: what `value.title += "a"` calls. It is made of the
/// getter and the setter: of those in the same witness table where a patch conforms to a protocol, of
/// those in the object's vtable where a class of Lua's overrides one of them.
///
///     begin(buffer: 4 words, indices …, self in r13, trailing words: types)
///       -> how it goes on, the address of the value
///     how it goes on(buffer, whether an error is thrown past it)
///
/// The caller changes the value in between. As in a `modify` that the compiler makes of a getter and a
/// setter, the setter is called in both cases.
///
/// There for good, like the tables that have it.
/// Unchecked: everything is fixed.
package final class ModifyCoroutine: @unchecked Sendable {
  /// A getter or a setter.
  package struct Accessor {
    package let plan: CallPlan
    let place: Place

    package init(plan: CallPlan, place: Place) {
      self.plan = plan
      self.place = place
    }

    /// Where the address of its code is.
    package enum Place {
      /// The accessor is in a word of a witness table.
      case word(UnsafePointer<UnsafeRawPointer>)
      /// The accessor is at an offset in bytes in the metadata of the class that the call is for.
      case vtable(offset: Int)
    }
  }

  /// How the beginning is called: with the buffer, and the indices.
  private let plan: CallPlan
  private let getter: Accessor
  private let setter: Accessor

  package init(beginning plan: CallPlan, getter: Accessor, setter: Accessor) {
    self.plan = plan
    self.getter = getter
    self.setter = setter
  }

  /// Lets a word be the address of the coroutine.
  package func claim(_ word: UnsafeMutableRawPointer) throws(InterceptionError) {
    try AnsweredPoint.claim(
      InterceptionPoint(
        word: UInt(bitPattern: word), stackBytes: plan.stackBytes, isAsync: false),
      .synchronous(Self.begin), context: Unmanaged.passRetained(self).toOpaque())
  }
}

extension ModifyCoroutine.Accessor {
  /// - Parameter receiver: The receiver of the accessor: an object, or a class if it is static.
  fileprivate func code(_ receiver: UInt64) -> UnsafeRawPointer {
    switch place {
    case .word(let word): return word.pointee
    case .vtable(let offset):
      // Never nil: there is something to call it on.
      let receiver = UnsafeRawPointer(bitPattern: UInt(receiver)).unsafelyUnwrapped
      let isType = plan.function.declaration.isStatic
      let metadata = isType ? receiver : receiver.load(as: UnsafeRawPointer.self)
      return metadata.load(fromByteOffset: offset, as: UnsafeRawPointer.self)
    }
  }
}

// MARK: - One access

/// An access from its beginning to its end. Used by one thread at a time: whose access it is.
private final class ModifyAccess {
  let coroutine: ModifyCoroutine
  let value: UnsafeMutableRawPointer
  let receiver: UInt64
  let types: [UInt64]
  /// The access's own copies.
  let indices: [(codec: ValueCodec, memory: UnsafeMutableRawPointer)]

  init(
    _ coroutine: ModifyCoroutine, value: UnsafeMutableRawPointer, receiver: UInt64, types: [UInt64],
    indices: [(codec: ValueCodec, memory: UnsafeMutableRawPointer)]
  ) {
    self.coroutine = coroutine
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

extension ModifyCoroutine {
  private static let begin: ClosureHandler = { context, frame in
    guard let context, let frame else { return }
    Unmanaged<ModifyCoroutine>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.begin(frame) }
  }

  private static let resume: @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void = {
    buffer, _ in
    let end: @convention(c) (UnsafeMutableRawPointer?) -> Void = { buffer in
      guard let buffer else { return }
      let access = Unmanaged<ModifyAccess>.fromOpaque(buffer.load(as: UnsafeRawPointer.self))
        .takeRetainedValue()
      access.coroutine.end(access)
    }
    wax_process_with_stack(end, buffer, false)
  }

  private func begin(_ frame: FramePointer) {
    guard let codec = getter.plan.result,
      let buffer = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.integerArguments.0))
    else { return }
    let access = ModifyAccess(
      self, value: ValueBox.allocate(size: codec.size, alignment: codec.alignment),
      receiver: frame.pointee.selfRegister, types: plan.typeWords(frame),
      indices: plan.arguments.dropFirst().map { argument in
        let memory = ValueBox.allocate(
          size: argument.codec.size, alignment: argument.codec.alignment)
        plan.withValue(of: argument, frame) { argument.codec.copy($0, to: memory) }
        return (argument.codec, memory)
      })
    call(getter, access, access.indices.map(\.memory)) {
      codec.take($0, to: access.value)
    }
    buffer.storeBytes(
      of: UnsafeRawPointer(Unmanaged.passRetained(access).toOpaque()), as: UnsafeRawPointer.self)
    frame.pointee.integerResults.0 = UInt64(
      UInt(bitPattern: unsafeBitCast(Self.resume, to: UnsafeRawPointer.self)))
    frame.pointee.integerResults.1 = UInt64(UInt(bitPattern: access.value))
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
      let scratch = stack + (stackBytes + 15) / 16 * 16
      var frame = Frame(stackArguments: stack)
      frame.selfRegister = access.receiver
      plan.prepare(&frame, scratch: scratch)
      plan.setTypeWords(access.types, &frame)
      for (argument, source) in zip(plan.arguments, arguments) {
        argument.location.scatter(source, size: argument.codec.size, &frame)
      }
      Invocation.call(accessor.code(access.receiver), &frame, stackBytes: stackBytes)
      if let codec = plan.result { body(plan.outcome.collect(codec, &frame, scratch: scratch)) }
    }
  }
}

extension CallPlan {
  /// The words that told a call its types.
  fileprivate func typeWords(_ frame: FramePointer) -> [UInt64] {
    trailing.map { $0.location.memory(frame)?.load(as: UInt64.self) ?? 0 }
  }

  fileprivate func setTypeWords(_ words: [UInt64], _ frame: FramePointer) {
    for (word, trailing) in zip(words, trailing) {
      trailing.location.memory(frame)?.storeBytes(of: word, as: UInt64.self)
    }
  }
}

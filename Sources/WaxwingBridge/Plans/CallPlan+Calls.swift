// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Prepares the parts of a call's frame besides arguments and receiver.
extension CallPlan {
  /// Prepares a call: passes the addresses of memory for the outcome, and the types of a generic
  /// function.
  /// - Parameter scratch: As many bytes as `callBytes`.
  func prepare(_ frame: FramePointer, scratch: UnsafeMutableRawPointer) {
    outcome.prepare(frame, scratch: scratch)
    resultAddress?.passResultAddress(frame)
    for (word, location) in trailing where word != nil {
      withUnsafePointer(to: word) {
        location.scatter(
          UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)), size: 8, frame)
      }
    }
  }
}

/// The location of the address of an async function's indirect result. Everything else uses the
/// frame's `indirect_result` for it, as other functions do.
extension ValueLocation {
  /// Passes the address of the result in a call that is about to be made.
  func passResultAddress(_ frame: FramePointer) {
    var address = frame.pointee.indirectResult
    withUnsafeMutablePointer(to: &address) {
      scatter(UnsafeMutableRawPointer($0), size: 8, frame)
    }
  }

  /// Reads the address of the result from a call that has arrived.
  func receiveResultAddress(_ frame: FramePointer) {
    guard let place = memory(frame) else { return }
    frame.pointee.indirectResult = place.load(as: UInt64.self)
  }
}

extension CallPlan {
  /// Whether the function is an initializer of a type that is not known.
  var makesOpaqueInstance: Bool {
    result is OpaqueCodec && function.declaration.isInitializer
  }

  /// The opaque parts of the signature and the reason, as text; nil if there are none.
  var opaqueNote: String? {
    guard let opaque else { return nil }
    var parts = arguments.filter { $0.codec is OpaqueCodec }.map(\.name)
    if case .opaque = receiver { parts.insert("`self`", at: 0) }
    if result is OpaqueCodec { parts.append("the result") }
    guard let last = parts.popLast() else { return nil }
    let list = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    return "\(list); \(opaque.reason.reason)"
  }

  /// Why the original can be called only once in a call of its override; nil: as often as one likes.
  var onceReason: String? {
    guard opaque != nil else { return nil }
    if result is OpaqueCodec { return "its result is opaque: nothing can release it" }
    if let taken = arguments.first(where: { $0.isOwned && $0.codec is OpaqueCodec }) {
      return "it consumes \(taken.name), an opaque value that cannot be copied"
    }
    if case .opaque = receiver, function.selfKind == nil || function.selfKind == .consuming {
      return "it may consume `self`, an opaque value that cannot be copied"
    }
    return nil
  }
}

extension CallPlan {
  /// Clears the error register after a call of an async function that does not throw, since such a
  /// function leaves anything in it. Symbols do not tell whether accessors throw: there, a value
  /// that looks like an error counts as one, which is a box, or the 1 that marks an error of a
  /// declared type. If that is wrong, the caller still gets every register as the original left it.
  func checkError(_ frame: FramePointer) {
    if isThrowing { return }
    if function.declaration.kind.isAccessor,
      frame.pointee.thrownError == ResultLowering.typedErrorMark
        || SwiftErrorBox.isError(frame.pointee.thrownError)
    {
      return
    }
    frame.pointee.thrownError = 0
  }

  /// Destroys what a call has returned or thrown.
  func forgetOutcome(_ frame: FramePointer, scratch: UnsafeMutableRawPointer) {
    if frame.pointee.thrownError != 0 {
      _ = outcome.takeError(frame, scratch: scratch, self)
    } else if let codec = result {
      codec.destroy(outcome.collect(codec, frame, scratch: scratch))
    }
  }
}

extension CallPlan {
  /// The object that a method of a protocol's extension is called on: such a method takes the address
  /// of a reference, as it takes that of any value.
  func object(_ value: wax_lua_value, _ codec: ValueCodec) -> UnsafeMutableRawPointer? {
    guard let object = codec as? ObjectCodec, value.tag == WAX_LUA_VALUE_OBJECT.rawValue,
      let pointer = value.pointer, object.accepts(pointer)
    else { return nil }
    return pointer
  }
}

extension CallPlan {
  /// Whether the function can be called on the value.
  func accepts(receiver value: wax_lua_value) -> Bool {
    switch receiver {
    case .none, .metatype, .uninitialized, .opaque, .anyObject, .captures: return true
    case .object(let argument): return object(value, argument.codec) != nil
    case .value(let argument): return holds(value, argument.codec)
    case .mutableValue(let codec): return holds(value, codec)
    }
  }

  /// The type of the struct or enum that the function is called on.
  var receiverType: (any Any.Type)? {
    switch receiver {
    case .value(let argument): argument.codec.type
    case .mutableValue(let codec): codec.type
    default: nil
    }
  }

  private func holds(_ value: wax_lua_value, _ codec: ValueCodec) -> Bool {
    if object(value, codec) != nil { return true }
    return ValueBox.contents(of: value, type: TypeMetadata.pointer(to: codec.type)) != nil
  }
}

extension CallPlan {
  /// Whether any error can be thrown.
  package var canThrowAnything: Bool {
    isThrowing && outcome.canThrowAnything
  }

  /// Releases what the function took over from its caller.
  func consumeArguments(_ frame: FramePointer) {
    for argument in arguments where argument.isOwned {
      argument.consume(frame, scratchBytes: scratchBytes)
    }
    guard consumesReceiver, case .value(let receiver) = receiver else { return }
    receiver.consume(frame, scratchBytes: scratchBytes)
  }

  func withValue(
    of argument: Argument, _ frame: FramePointer, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    argument.withValue(frame, scratchBytes: scratchBytes, body)
  }
}

extension CallPlan.Argument {
  /// Runs `body` with the value that a call has brought, and which stays the call's.
  /// - Parameter scratchBytes: The plan's.
  func withValue<Result>(
    _ frame: FramePointer, scratchBytes: Int, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    if let memory = location.memory(frame) { return body(memory) }
    return withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { scratch in
      // Never nil: scratchBytes is not 0.
      let scratch = scratch.baseAddress.unsafelyUnwrapped
      if codec.isBitwiseTakable { return body(location.gather(frame, scratch: scratch)) }
      location.copy(frame, scratch: scratch)
      defer { codec.destroy(scratch) }
      return body(scratch)
    }
  }

  /// Destroys the value that a call has brought and that the function has taken over.
  /// - Parameter scratchBytes: The plan's.
  func consume(_ frame: FramePointer, scratchBytes: Int) {
    if !codec.isBitwiseTakable, location.memory(frame) == nil { return location.destroy(frame) }
    withValue(frame, scratchBytes: scratchBytes) { codec.destroy($0) }
  }
}

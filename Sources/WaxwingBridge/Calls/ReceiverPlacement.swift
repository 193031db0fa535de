// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The first stage of a call by Lua code: what the function is called on is checked, and put where
/// the function expects it.
struct ReceiverPlacement {
  let plan: CallPlan
  let target: CallTarget
  /// Lua passes `self`, or the class, before the arguments.
  let isTaken: Bool
  /// The class that a class method or initializer was looked up on; nil: the one that declares it.
  let metatype: (any Any.Type)?

  private var name: String { plan.function.displayedName }

  /// - Parameter reader: Stands at the receiver.
  /// - Returns: The copy that it is called on, if it is one.
  func place(
    _ value: wax_lua_value, _ reader: LuaReader, _ memory: CallMemory,
    _ lender: UnsafeMutablePointer<ActiveCall>?
  ) throws(LuaRaise) -> ReceiverCopy? {
    if let codec = plan.objectReceiver {
      guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer,
        codec._withUnsafeGuaranteedRef({ $0.accepts(object) })
      else { throw wrongReceiver(value, reader, codec._withUnsafeGuaranteedRef { $0.typeName }) }
      memory.frame.pointee.selfRegister = UInt64(UInt(bitPattern: object))
      return nil
    }
    switch plan.receiver {
    case .opaque(let codec): try checkOpaque(value, reader, codec)
    case .anyObject:
      // Its registers are the call's.
      guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue,
        value.pointer
          == UnsafeMutableRawPointer(bitPattern: UInt(memory.frame.pointee.selfRegister))
      else { throw wrongReceiver(value, reader, "the object that the override runs on") }
    case .captures:
      guard let active = target.active else {
        throw .message(
          "the original of \(name) can be called only in a call of its override: nothing else has what the closure "
            + "has captured")
      }
      memory.frame.pointee.selfRegister = active.pointee.frame.pointee.selfRegister
    case .object, .none: try checkPending(value, reader)
    case .metatype(let type):
      try checkPending(value, reader)
      memory.frame.pointee.selfRegister = UInt64(UInt(bitPattern: metatype(value, type)))
    case .uninitialized where !isTaken: break  // `makeObject`
    case .uninitialized(let type):
      guard let proxy = proxy(value, WAX_PROXY_KIND_PENDING), let instance = proxy.pointee.pointer
      else {
        throw wrongReceiver(value, reader, "\(TypeName.short(type)) that is not initialized yet")
      }
      memory.frame.pointee.selfRegister = UInt64(UInt(bitPattern: instance))
    case .value(let argument):
      let (box, copy) = try box(value, argument.codec, reader, memory.scratch, nil)
      if plan.mayConsumeReceiver { try checkReceiver(box, argument) }
      // It may be mutating where no symbol tells. It finds its `self` where mutating methods have
      // it, and one that is not does not look there.
      memory.frame.pointee.selfRegister = UInt64(UInt(bitPattern: box))
      argument.location.scatter(box, size: argument.codec.size, memory.frame)
      return copy
    case .mutableValue(let codec):
      if plan.mayKeepReceiver { try checkFirst() }
      let (box, copy) = try box(value, codec, reader, memory.scratch, lender)
      memory.frame.pointee.selfRegister = UInt64(UInt(bitPattern: box))
      return copy
    }
    return nil
  }

  /// Makes the object that an initializer initializes, right before the call, if Lua passes none.
  func makeObject(_ frame: FramePointer) {
    guard !isTaken, case .uninitialized(let type) = plan.receiver else { return }
    let object = Instance.allocate(TypeMetadata.pointer(to: type))
    frame.pointee.selfRegister = UInt64(UInt(bitPattern: object))
  }

  /// The class that Lua passes, or that of the instance which is to be made, if it is the
  /// function's or one that inherits from it.
  private func metatype(_ value: wax_lua_value, _ type: any Any.Type) -> UnsafeRawPointer {
    if let made = UnsafeMutableRawPointer(
      mutating: proxy(value, WAX_PROXY_KIND_PENDING)?.pointee.type),
      TypeMetadata.type(at: made, inheritsFrom: type)
    {
      return UnsafeRawPointer(made)
    }
    if value.tag == WAX_LUA_VALUE_METATYPE.rawValue, let passed = value.pointer,
      TypeMetadata.type(at: passed, inheritsFrom: type)
    {
      return UnsafeRawPointer(passed)
    }
    return TypeMetadata.pointer(to: metatype ?? type)
  }

  /// An initializer that makes a new instance puts it into the pending proxy it is called on, if it
  /// is called on one.
  private func checkPending(_ value: wax_lua_value, _ reader: LuaReader) throws(LuaRaise) {
    guard isTaken, let type = plan.initializedType else { return }
    guard proxy(value, WAX_PROXY_KIND_PENDING) != nil else {
      throw wrongReceiver(value, reader, "\(TypeName.short(type)) that is not initialized yet")
    }
  }

  private func proxy(
    _ value: wax_lua_value, _ kind: wax_proxy_kind
  ) -> UnsafeMutablePointer<wax_proxy>? {
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self)
    return proxy.pointee.kind == kind.rawValue ? proxy : nil
  }

  /// Where a struct or enum is that the function is called on, and the copy if it is one.
  private func box(
    _ value: wax_lua_value, _ codec: ValueCodec, _ reader: LuaReader,
    _ scratch: UnsafeMutableRawPointer, _ lender: UnsafeMutablePointer<ActiveCall>?
  ) throws(LuaRaise) -> (UnsafeMutableRawPointer, ReceiverCopy?) {
    let place = scratch + plan.receiverScratch
    if let object = plan.object(value, codec) {
      if plan.consumesReceiver {
        return (place, withUnsafePointer(to: object) { ReceiverCopy(of: $0, codec, in: place) })
      }
      if case .mutableValue = plan.receiver {
        // It may put another object into its place.
        return (
          place, withUnsafePointer(to: object) { ReceiverCopy(changing: $0, codec, in: place) }
        )
      }
      // A borrowed reference: the argument keeps the object.
      place.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
      return (place, nil)
    }
    if let variable = variable(value, codec, reader, lender) { return (variable.memory, variable) }
    if let box = ValueBox.contents(of: value, type: TypeMetadata.pointer(to: codec.type)) {
      if plan.consumesReceiver { return (place, ReceiverCopy(of: box, codec, in: place)) }
      if plan.isAsync { return (place, ReceiverCopy(waiting: box, codec, in: place)) }
      if case .mutableValue = plan.receiver, proxy(value, WAX_PROXY_KIND_ERROR) != nil {
        // It may change its `self`, which all who hold the error share.
        throw .message("\(name) cannot be called on an error; call it on the error's `value`")
      }
      return (box, nil)
    }
    if value.isNil, !(codec.type is any OptionalType.Type) {
      throw wrongReceiver(value, reader, codec.typeName)
    }
    do throws(ConversionError) {
      let copy = try ReceiverCopy(
        converting: reader, codec, in: place, isConsumed: plan.consumesReceiver,
        keepsUnchanged: target.isOriginal)
      return (place, copy)
    } catch {
      throw wrongReceiver(value, reader, codec.typeName)
    }
  }

  /// The receiver of the override whose original this is, if Lua passes it on unchanged; nil if it
  /// does not, or if other code could look at it meanwhile.
  private func variable(
    _ value: wax_lua_value, _ codec: ValueCodec, _ reader: LuaReader,
    _ lender: UnsafeMutablePointer<ActiveCall>?
  ) -> ReceiverCopy? {
    guard case .mutableValue = plan.receiver, !plan.isAsync, let lender,
      let memory = UnsafeMutableRawPointer(
        bitPattern: UInt(lender.pointee.frame.pointee.selfRegister))
    else { return nil }
    if !codec.isBoxing {
      var reader = reader
      return codec.isRebuilt && codec.matches(&reader, memory)
        ? ReceiverCopy(passing: memory, codec, for: nil) : nil
    }
    guard let proxy = proxy(value, WAX_PROXY_KIND_VALUE), let box = proxy.pointee.pointer,
      wax_proxy_is_own_receiver(proxy),
      ValueBox.contents(of: value, type: TypeMetadata.pointer(to: codec.type)) != nil,
      memcmp(box, memory, codec.size) == 0
    else { return nil }
    return ReceiverCopy(passing: memory, codec, for: box)
  }

  /// Checks the receiver if nothing tells whether the original takes `self` over: it can be passed
  /// on only once, and unchanged.
  private func checkReceiver(
    _ box: UnsafeMutableRawPointer, _ argument: CallPlan.Argument
  ) throws(LuaRaise) {
    guard let active = target.active else { return }
    if !active.pointee.originalRan, active.isUnchanged(box, argument) { return }
    throw mayConsume("")
  }

  /// Checks a receiver that is passed by address, which a mutating function changes in place.
  private func checkFirst() throws(LuaRaise) {
    guard let active = target.active, active.pointee.originalRan else { return }
    throw mayConsume("[\"mutating \(plan.function.declaration.selector)\"], ")
  }

  /// - Parameter more: Another statement that a script could make about the function.
  private func mayConsume(_ more: String) -> LuaRaise {
    let selector = plan.function.declaration.selector
    return .message(
      "the original of \(name) can be called once, on `self` as it was passed: nothing tells "
        + "whether it is `consuming`; say so, \(more)[\"borrowing \(selector)\"] or "
        + "[\"consuming \(selector)\"], or make a facts file with `waxwing facts` where the program is built"
    )
  }

  private func checkOpaque(
    _ value: wax_lua_value, _ reader: LuaReader, _ codec: OpaqueCodec
  ) throws(LuaRaise) {
    var reader = reader
    var words = OpaqueValue.Words()
    do throws(ConversionError) {
      try withUnsafeMutablePointer(to: &words) { (words) throws(ConversionError) in
        try codec.read(&reader, into: words)
      }
    } catch {
      throw wrongReceiver(value, reader, codec.typeName)
    }
  }

  private func isProxy(_ value: wax_lua_value) -> Bool {
    value.tag == WAX_LUA_VALUE_OBJECT.rawValue || value.tag == WAX_LUA_VALUE_PROXY.rawValue
  }

  private func wrongReceiver(
    _ value: wax_lua_value, _ reader: LuaReader, _ expected: String
  ) -> LuaRaise {
    let remedy =
      value.tag == WAX_LUA_VALUE_METATYPE.rawValue
      ? "; call it on a value of the type" : isProxy(value) ? "" : "; call it with `:`"
    return .message(
      "\(name) is called on \(ValueDescription.of(value, reader)), expected \(expected)\(remedy)")
  }
}

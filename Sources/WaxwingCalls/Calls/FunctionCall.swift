// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
internal import CWaxwingProxies
internal import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingLua
internal import WaxwingMetadata
package import WaxwingOverrides
internal import WaxwingPlans
internal import WaxwingReflection
internal import WaxwingValues

/// A Swift function as Lua code calls it: `account:audit()`, `self:ORIGdeposit(n)`.
package final class FunctionCall: LuaCallable {
  /// What runs.
  package enum Target {
    /// The function as the program would call it, overrides included.
    case current
    /// The original of the script's override at a point that this thread is in: the next older one,
    /// or the program's own code. Outside any, what is below the oldest.
    case original(PointOverrides)
  }

  let plan: CallPlan
  let target: Target
  let state: LuaState
  /// Lua passes `self`, or the class, before the arguments.
  let takesReceiver: Bool
  /// The class that a class method or initializer was looked up on; nil: the one that declares it.
  let metatype: (any Any.Type)?
  /// A class of Lua's that overrides it does so in its vtable.
  let isOverriddenInVtable: Bool
  /// Whether that is called, as anywhere but on `super`. Used by the thread that has entered the state.
  package var isVirtual = true
  private var compiled: UnsafeMutablePointer<wax_call_direct>??

  /// - Parameter hasReceiver: What a member is called on comes before its arguments; not so with
  ///   operators.
  init(
    _ plan: CallPlan, _ target: Target, in state: LuaState, hasReceiver: Bool = true,
    on metatype: (any Any.Type)? = nil
  ) {
    self.plan = plan
    self.metatype = metatype
    self.target = target
    self.state = state
    let declaration = plan.function.declaration
    takesReceiver = hasReceiver && declaration.contextType != nil
    isOverriddenInVtable =
      !plan.function.isPatchPoint && declaration.contextType?.nominal?.kind == .class
      && !declaration.isInitializer
  }

  deinit {
    if let compiled { wax_call_direct.deallocate(compiled) }
  }

  /// The call in a form that C runs; nil: it takes Swift. Used by the thread that has entered the state.
  var direct: UnsafeMutablePointer<wax_call_direct>? {
    if let compiled { return compiled }
    let made = compile()
    compiled = .some(made)
    return made
  }

  /// Runs one call from Lua. The state is entered before and after, and left while Swift runs.
  package func run(_ call: inout LuaCall) throws(LuaRaise) {
    try checkCount(call.argumentCount)
    try run(&call, .call)
  }

  /// For a getter, called as (self, name).
  package func runOnReceiver(_ call: inout LuaCall) throws(LuaRaise) {
    try run(&call, .getting)
  }

  /// For a setter, called as (self, name, value).
  package func runSkippingName(_ call: inout LuaCall) throws(LuaRaise) {
    try run(&call, .setting)
  }

  enum Form {
    case call
    /// Of a property, which is one value in Lua, also if it is a tuple.
    case getting
    /// Of a property, whose name comes before the value.
    case setting
  }

  /// With arguments that do not stand in the call one after the other.
  func run(_ call: inout LuaCall, _ arguments: BoundArguments) throws(LuaRaise) {
    try run(&call, .call, arguments)
  }

  private func run(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments? = nil
  ) throws(LuaRaise) {
    if plan.isAsync { return try FunctionWait.begin(self, &call, form, bound) }
    if case .receiver = plan.isolation, let actor = foreignActor(call) {
      return try FunctionWait.begin(self, &call, form, bound, on: actor)
    }
    var failure: LuaRaise?
    Invocation.withFrame(room: plan.callBytes, stackBytes: plan.stackBytes) { frame, room in
      do throws(LuaRaise) {
        try run(&call, form, bound, frame, room)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// The actor that it is called on, if this thread is not on it.
  private func foreignActor(_ call: LuaCall) -> ExecutorReference? {
    let receiver = call.arguments.peeked
    guard case .current = target, receiver.tag == WAX_LUA_VALUE_OBJECT.rawValue,
      let object = receiver.pointer,
      let actor = FunctionIsolation.executor(
        ofActor: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()),
      !actor.isCurrent
    else { return nil }
    return actor
  }

  private func checkCount(_ count: Int) throws(LuaRaise) {
    // An override of a `didSet` may pass the old value on though the program does not use it.
    let extra = plan.function.declaration.ignoresOldValue ? 1 : 0
    let expected = plan.arguments.count + (takesReceiver ? 1 : 0) + extra
    if takesReceiver, count == 0 {
      throw .message("\(name) is a method: call it with `:`")
    }
    if count > expected, !plan.isVariadic {
      throw .message(
        "\(name) takes \(plan.arguments.count) argument\(plan.arguments.count == 1 ? "" : "s"), "
          + "got \(count - expected + plan.arguments.count)")
    }
  }

  var name: String { ModuleNames.displayed(plan.function.declaration.qualifiedName) }

  private func run(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments?,
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer
  ) throws(LuaRaise) {
    let values = try place(&call, form, bound, frame, room)
    let activation = activation(ofCallOn: frame)
    let isOwn = activation?.pointee.isOn(frame.pointee.context, plan) ?? false
    invoke(frame, room, values.omitted, activation)
    try complete(call, form, values, frame, room, isOwn ? activation : nil)
  }

  /// What is put into a call's memory besides its arguments.
  struct Values {
    /// The copy that it is called on, if it is one.
    let copy: ReceiverCopy?
    let watch: ReceiverWatch?
    /// Which arguments were left out and have a default value.
    let omitted: [Int]
  }

  /// Puts the receiver and the arguments where the function expects them.
  func place(
    _ call: inout LuaCall, _ form: Form, _ bound: BoundArguments?,
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer
  ) throws(LuaRaise) -> Values {
    if plan.hasOpaque { try plan.takeRegisters(of: activation, frame) }
    var reader = call.arguments
    let receiver = takesReceiver ? reader.read() : wax_lua_value()
    if takesReceiver,
      receiver.tag == WAX_LUA_VALUE_ARRAY.rawValue || receiver.tag == WAX_LUA_VALUE_TABLE.rawValue
    {
      reader = call.arguments
      reader.skip()
    }
    if form == .setting { reader.skip() }
    let copy = try placeReceiver(receiver, call.arguments, frame, room)
    let omitted: [Int]
    do throws(LuaRaise) {
      omitted =
        if let bound {
          try placeArguments(bound, frame, room)
        } else {
          try placeArguments(&reader, frame, room)
        }
    } catch {
      copy?.end(wasPassed: false)
      throw error
    }
    plan.prepare(frame, room: room)
    if plan.consumesReceiver, plan.objectReceiver != nil,
      let object = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.context))
    {
      ObjectReference.retain(object)
    }
    return Values(copy: copy, watch: ReceiverWatch(plan, call, receiver), omitted: omitted)
  }

  /// Gives Lua what the function has returned or thrown. The state is entered.
  func complete(
    _ call: LuaCall, _ form: Form, _ values: Values,
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer,
    _ activation: UnsafeMutablePointer<ActiveCall>?
  ) throws(LuaRaise) {
    let copy = values.copy
    defer { copy?.end(wasPassed: true) }
    call.raw.pointee.changed_receiver = values.watch?.end(state) ?? false
    defer { destroyArguments(plan.steps.count, frame, room, onlyBorrowed: true) }
    if let activation, !plan.variables.isEmpty {
      activation.pointee.saveInouts(variablePlaces(frame, room, copy), plan.variables)
    }
    if frame.pointee.thrownError != 0 {
      copy?.updateOrigin()
      if plan.isInitializer, takesReceiver { Instance.consumed(call.arguments.peeked) }
      throw .error(takeError(frame, room, activation))
    }
    let result = pushResult(call, form, frame, room)
    if !plan.inouts.isEmpty { pushInouts(call.writer, frame, room) }
    let returnsReceiver = activation != nil && plan.returnedReceiver != nil
    let isChanged = copy?.pushChange(call.writer, always: returnsReceiver) ?? false
    end(call, result, activation, hasMore: isChanged || !plan.inouts.isEmpty)
  }

  // MARK: Arguments

  /// - Parameter reader: Stands at the receiver.
  /// - Returns: The copy that it is called on, if it is one.
  private func placeReceiver(
    _ value: wax_lua_value, _ reader: LuaReader, _ frame: FramePointer,
    _ room: UnsafeMutableRawPointer
  ) throws(LuaRaise) -> ReceiverCopy? {
    if let codec = plan.objectReceiver {
      guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer,
        codec._withUnsafeGuaranteedRef({ $0.accepts(object) })
      else { throw wrongReceiver(value, reader, codec._withUnsafeGuaranteedRef { $0.typeName }) }
      frame.pointee.context = UInt64(UInt(bitPattern: object))
      return nil
    }
    switch plan.receiver {
    case .opaque(let codec): try checkOpaque(value, reader, codec)
    case .anyObject:
      // Its registers are the call's.
      guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue,
        value.pointer == UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.context))
      else { throw wrongReceiver(value, reader, "the object that the override runs on") }
    case .object, .none: try checkPending(value, reader)
    case .metatype(let type):
      try checkPending(value, reader)
      frame.pointee.context = UInt64(UInt(bitPattern: metatype(value, type)))
    case .uninitialized(let type):
      guard let proxy = proxy(value, WAX_PROXY_KIND_PENDING), let memory = proxy.pointee.pointer
      else {
        throw wrongReceiver(value, reader, "\(TypeName.short(type)) that is not initialized yet")
      }
      frame.pointee.context = UInt64(UInt(bitPattern: memory))
    case .value(let argument):
      let (box, copy) = try box(value, argument.codec, reader, room)
      if plan.mayConsumeReceiver { try checkReceiver(box, argument) }
      // It may be mutating where no symbol tells. It finds its `self` where mutating methods have it,
      // and one that is not does not look there.
      frame.pointee.context = UInt64(UInt(bitPattern: box))
      argument.location.scatter(box, size: argument.codec.size, frame)
      return copy
    case .mutableValue(let codec):
      let (box, copy) = try box(value, codec, reader, room)
      frame.pointee.context = UInt64(UInt(bitPattern: box))
      return copy
    }
    return nil
  }

  /// The class that Lua passes, or that of the instance which is to be made, if it is the function's
  /// or one that inherits from it.
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
    guard takesReceiver, let type = plan.initializedType else { return }
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
    _ room: UnsafeMutableRawPointer
  ) throws(LuaRaise) -> (UnsafeMutableRawPointer, ReceiverCopy?) {
    let place = room + plan.receiverRoom
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
        converting: reader, codec, in: place, isConsumed: plan.consumesReceiver)
      return (place, copy)
    } catch {
      throw wrongReceiver(value, reader, codec.typeName)
    }
  }

  /// Where nothing tells whether the original takes `self` over, it can be passed on just as it came:
  /// once, and unchanged.
  private func checkReceiver(
    _ box: UnsafeMutableRawPointer, _ argument: CallPlan.Argument
  ) throws(LuaRaise) {
    guard let activation else { return }
    if !activation.pointee.originalRan, activation.isUnchanged(box, argument) { return }
    let selector = plan.function.declaration.selector
    throw .message(
      "the original of \(name) can be called once, on `self` as it was passed: nothing tells whether it is "
        + "`consuming`; say so, [\"borrowing \(selector)\"] or [\"consuming \(selector)\"], or "
        + "make a facts file with `waxwing facts` where the program is built")
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
    .message(
      "\(name) is called on \(ValueDescription.of(value, reader)), expected \(expected)"
        + (isProxy(value) ? "" : "; call it with `:`"))
  }

  /// Where the `inout` arguments are, in order.
  func inoutPlaces(
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer
  ) -> [UnsafeMutableRawPointer] {
    plan.steps.filter { plan.arguments[$0.index].isInout }
      .map { $0.place(UnsafeMutableRawPointer(frame), room: room) }
  }

  /// The same, and behind them the copy that it is called on, if Lua gets what becomes of it.
  func variablePlaces(
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer,
    _ copy: ReceiverCopy?
  ) -> [UnsafeMutableRawPointer] {
    let places = inoutPlaces(frame, room)
    if plan.returnedReceiver == nil { return places }
    let held = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.context))
    return places + [copy?.memory ?? held].compactMap(\.self)
  }

  /// What the function made of them: further results.
  private func pushInouts(
    _ writer: LuaWriter, _ frame: FramePointer,
    _ room: UnsafeMutableRawPointer
  ) {
    for (place, argument) in zip(inoutPlaces(frame, room), plan.inouts) {
      argument.codec.push(place, writer)
    }
  }

  // MARK: The call

  private func invoke(
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer,
    _ omitted: [Int],
    _ activation: UnsafeMutablePointer<ActiveCall>?
  ) {
    if activation == nil, case .original(let point) = target, let override = point.oldest {
      return invokeOriginal(of: override, frame, room, omitted)
    }
    let layer = activation?.pointee.layer
    let depth = wax_lua_suspend(state.handle)
    if !omitted.isEmpty { makeDefaults(omitted, frame, room) }
    if let layer {
      layer.callNext(frame)
    } else {
      Invocation.call(code(frame), frame, stackBytes: plan.stackBytes)
    }
    wax_lua_resume(state.handle, depth)
  }

  /// A closure of the script asks for an original outside any call of the override, perhaps while the
  /// override is removed or its session ends.
  private func invokeOriginal(
    of override: Override, _ frame: FramePointer,
    _ room: UnsafeMutableRawPointer, _ omitted: [Int]
  ) {
    override.outsideCalls += 1
    let depth = wax_lua_suspend(state.handle)
    if !omitted.isEmpty { makeDefaults(omitted, frame, room) }
    let isInstalled = override.layer?.callNextIfInstalled(frame) ?? false
    if !isInstalled { Invocation.call(address, frame, stackBytes: plan.stackBytes) }
    wax_lua_resume(state.handle, depth)
    override.outsideCalls -= 1
    if override.isRemoved { PatchContext.context(of: state)?.overrides.giveUp(override) }
  }

  private var address: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: plan.function.address) }

  /// What is to be called: the function, or what the class of Lua's that the receiver is of has in its
  /// place in the vtable. Classes of Swift's own have been looked at by their names.
  func code(_ frame: FramePointer) -> UnsafeRawPointer? {
    guard isOverriddenInVtable, isVirtual, case .current = target else { return address }
    let function = plan.function
    return LuaClass.method(
      function.address, on: frame.pointee.context, isType: function.declaration.isStatic) ?? address
  }

  /// The call of the override that this is the original of, if this thread is in one.
  var activation: UnsafeMutablePointer<ActiveCall>? {
    guard case .original(let point) = target else { return nil }
    return ActiveCall.innermost(at: point)
  }

  /// The same; of an initializer only if it is the one of the object that is initialized.
  private func activation(
    ofCallOn frame: FramePointer
  ) -> UnsafeMutablePointer<ActiveCall>? {
    guard case .uninitialized = plan.receiver, case .original(let point) = target
    else { return activation }
    return ActiveCall.innermost(at: point, initializing: frame.pointee.context)
  }

  func takeError(
    _ frame: FramePointer, _ room: UnsafeMutableRawPointer,
    _ activation: UnsafeMutablePointer<ActiveCall>?
  ) -> any Error {
    let error = plan.outcome.takeError(frame, room: room, plan)
    activation?.pointee.originalThrew(error)
    return error
  }

  /// Writes the result for Lua, and says where it is; nil: there is none.
  private func pushResult(
    _ call: LuaCall, _ form: Form, _ frame: FramePointer,
    _ room: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    guard let codec = plan.result else { return nil }
    let result = plan.outcome.collect(codec, frame, room: room)
    if plan.isInitializer, takesReceiver { Instance.fulfil(with: result, codec, call) }
    if let plain = codec.plain {
      plain.push(result, call.writer.buffer)
    } else if form == .getting || isGetter {
      codec.push(result, call.writer)
    } else {
      codec.pushResult(result, call.writer)
    }
    return result
  }

  /// What a property or subscript has is one value in Lua, also if it is a tuple.
  private var isGetter: Bool {
    guard case .current = target else { return false }
    switch plan.function.declaration.kind {
    case .getter, .subscriptGetter: return true
    default: return false
    }
  }

  /// The activation takes the result over. Without one, Lua may be the only one to hold it and the
  /// `inout` values, and does not before they are pushed.
  private func end(
    _ call: LuaCall, _ result: UnsafeMutableRawPointer?,
    _ activation: UnsafeMutablePointer<ActiveCall>?, hasMore: Bool
  ) {
    let resultIsTrivial = plan.result.map { $0.plain?.isTrivial == true } ?? true
    if hasMore || activation == nil && !resultIsTrivial { wax_lua_push_call_results(call.raw) }
    if let activation { return activation.pointee.originalReturned(result, plan.result) }
    if !resultIsTrivial, let result { plan.result?.destroy(result) }
  }
}

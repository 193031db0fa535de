// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Function values: a code pointer and a context, which is a Swift object or null. Lua sees them as
/// functions. A Lua function that Swift was given comes back as the function it was.
/// Unchecked: immutable, like every codec.
class FunctionCodec: ValueCodec, @unchecked Sendable {
  let plan: ClosurePlan

  init<Function>(of type: Function.Type, _ plan: ClosurePlan) {
    self.plan = plan
    super.init(of: type)
  }

  /// A closure that does not escape belongs to whoever passes it. Those that were made of Lua
  /// functions are objects all the same, which `read` makes and `destroy` releases.
  override var isLent: Bool { !plan.isEscaping }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let value = FunctionValue(at: source)
    guard let patch = PatchContext.context(of: writer.buffer) else { return writer.nil() }
    if let made = LuaClosure.of(value), made.functions === patch.functions {
      return writer.reference(made.reference)
    }
    let closure = SwiftClosure(
      value, plan, staysOnThread: !plan.isAsync && !patch.pushesForAsync)
    writer.proxy(
      plan.isEscaping ? WAX_PROXY_KIND_CLOSURE : WAX_PROXY_KIND_LENT_CLOSURE,
      Unmanaged.passRetained(closure).toOpaque(), type: patch.closureCallback)
  }

  /// The type that proxies have when they stand for Swift closures.
  private static func closures(_ reader: LuaReader) -> UnsafeRawPointer? {
    PatchContext.context(of: reader.source).map { UnsafeRawPointer($0.closureCallback) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_FUNCTION.rawValue else { throw mismatch(value, reader) }
    if let proxy = reader.closure(value), proxy.pointee.type == Self.closures(reader),
      let own = try swiftFunction(proxy.pointee)
    {
      if !isLent || LuaClosure.of(own) != nil { own.retain() }
      return own.store(at: target)
    }
    guard let patch = PatchContext.context(of: reader.source) else {
      throw mismatch(value, reader)
    }
    guard let reference = reader.reference(to: value) else {
      throw ConversionError(expected: typeName, found: "a function that memory is short for")
    }
    try LuaClosure(reference, plan, patch.functions, in: patch).value.store(at: target)
  }

  /// The function value of a Lua function that stands for a Swift closure; nil if it is called in
  /// another way than this codec's.
  private func swiftFunction(_ proxy: wax_proxy) throws(ConversionError) -> FunctionValue? {
    guard wax_proxy_is_closure(proxy.kind), let pointer = proxy.pointer else {
      throw ConversionError(
        expected: typeName, found: "a closure that does not escape, whose function has returned")
    }
    let closure = Unmanaged<SwiftClosure>.fromOpaque(pointer).takeUnretainedValue()
    if !closure.plan.isEscaping, plan.isEscaping {
      throw ConversionError(
        expected: "@escaping \(typeName)", found: "a closure that does not escape")
    }
    return closure.plan.isCallable(as: plan) ? closure.value : nil
  }

  /// The closure itself, as Lua got it.
  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let found = reader.read()
    guard found.tag == WAX_LUA_VALUE_FUNCTION.rawValue, let proxy = reader.closure(found)?.pointee,
      proxy.type == Self.closures(reader), wax_proxy_is_closure(proxy.kind),
      let pointer = proxy.pointer
    else { return false }
    let closure = Unmanaged<SwiftClosure>.fromOpaque(pointer).takeUnretainedValue()
    let (value, other) = (closure.value, FunctionValue(at: source))
    return value.code == other.code && value.context == other.context
      && closure.plan.isCallable(as: plan)
  }

  /// A closure that answers as that of a Lua function whose script has ended.
  override var hasNeutral: Bool {
    guard plan.isEscaping else { return false }
    return plan.canThrowAnything || plan.resultHasNeutral
  }

  override func initializeNeutral(_ target: UnsafeMutableRawPointer) {
    LuaClosure(neutral: plan).value.store(at: target)
  }

  override func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let value = FunctionValue(at: source)
    if !isLent || LuaClosure.of(value) != nil { value.retain() }
    value.store(at: target)
  }

  override func destroy(_ target: UnsafeMutableRawPointer) {
    let value = FunctionValue(at: target)
    if !isLent || LuaClosure.of(value) != nil { value.release() }
  }
}

/// The two words of a function value.
package struct FunctionValue {
  package let code: UnsafeRawPointer
  package let context: UnsafeMutableRawPointer?

  init(code: UnsafeRawPointer, context: UnsafeMutableRawPointer?) {
    self.code = code
    self.context = context
  }

  package init(at memory: UnsafeRawPointer) {
    code = memory.load(as: UnsafeRawPointer.self)
    context = memory.load(fromByteOffset: 8, as: UnsafeMutableRawPointer?.self)
  }

  func store(at memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: code, as: UnsafeRawPointer.self)
    memory.storeBytes(of: context, toByteOffset: 8, as: UnsafeMutableRawPointer?.self)
  }

  func retain() {
    if let context { ObjectReference.retain(context) }
  }

  func release() {
    if let context { ObjectReference.release(context) }
  }
}

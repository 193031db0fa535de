// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// `@convention(c)` functions: a code pointer without a context. Lua sees them as functions. One of
/// Lua's own cannot be one: there is nothing that would tell which Lua function is called.
/// Unchecked: immutable, like every codec.
final class CFunctionCodec: ValueCodec, @unchecked Sendable {
  private let plan: ClosurePlan

  init<Function>(of type: Function.Type, _ plan: ClosurePlan) {
    self.plan = plan
    super.init(of: type)
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    guard let patch = PatchContext.context(of: writer.buffer) else { return writer.nil() }
    let code = source.load(as: UnsafeRawPointer.self)
    let closure = SwiftClosure(FunctionValue(code: code, context: nil), plan)
    writer.proxy(
      WAX_PROXY_KIND_CLOSURE, Unmanaged.passRetained(closure).toOpaque(),
      type: patch.closureCallback)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_FUNCTION.rawValue else { throw mismatch(value, reader) }
    guard let proxy = reader.closure(value)?.pointee, wax_proxy_is_closure(proxy.kind),
      let pointer = proxy.pointer
    else { throw refusal("a Lua function") }
    let closure = Unmanaged<SwiftClosure>.fromOpaque(pointer).takeUnretainedValue()
    guard closure.plan.type == type else { throw refusal("a closure \(closure.plan.typeName)") }
    target.storeBytes(of: closure.value.code, as: UnsafeRawPointer.self)
  }

  private func refusal(_ found: String) -> ConversionError {
    ConversionError(
      expected: typeName,
      found: "\(found): a C function has no context, so it can only be one that Swift made")
  }

  override func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.copyMemory(from: source, byteCount: size)
  }

  override func destroy(_ target: UnsafeMutableRawPointer) {}
}

/// The C convention where it differs from Swift's.
///
/// Values of one scalar travel alike in both: System V ABI for AMD64, 3.2.3. Integers of less than
/// 32 bits are extended by the caller, as clang expects.
enum CFunction {
  static func check(
    _ metadata: FunctionMetadata, _ type: any Any.Type
  ) throws(UnsupportedType) {
    for value in metadata.parameters.map(\.type) + [metadata.result] where value != Void.self {
      guard case .direct(let shape) = try ShapeReader.value(value), shape.leaves.count == 1,
        shape.size <= 8
      else {
        throw UnsupportedType(
          type, because: "C functions with values of more than one word cannot be called")
      }
    }
  }

  /// Extends what an integer's bytes are to 32 bits.
  static func widen(_ argument: CallPlan.Argument, _ frame: FramePointer) {
    guard let memory = argument.location.memory(frame) else { return }
    func widen<Value: FixedWidthInteger>(_: Value.Type) {
      let value = memory.load(as: Value.self)
      memory.storeBytes(of: Int32(truncatingIfNeeded: value), as: Int32.self)
    }
    switch argument.codec.size {
    case 1 where argument.codec.type == Int8.self: widen(Int8.self)
    case 1: widen(UInt8.self)
    case 2 where argument.codec.type == Int16.self: widen(Int16.self)
    case 2: widen(UInt16.self)
    default: break
    }
  }
}

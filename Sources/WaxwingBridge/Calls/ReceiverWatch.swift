// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Tells whether a call has changed the struct or enum that it was made on, a copy of a property that
/// may have to be written back.
///
/// Setters that change `self` always have. Of a method it is not always known whether it is `mutating`: it has if the
/// bytes are others afterwards. What the value refers to is held meanwhile, so that it is copied
/// rather than changed in place.
struct ReceiverWatch {
  private let box: UnsafeMutableRawPointer
  private let codec: ValueCodec
  /// The value before the call; nil for a setter that changes `self`.
  private let before: (bytes: UnsafeMutableRawPointer, copy: UnsafeMutableRawPointer)?

  /// Watches the receiver of a call; nil if the call cannot change a copy of a property.
  init?(_ plan: CallPlan, _ call: LuaCall, _ receiver: wax_lua_value) {
    guard let codec = Self.codec(plan.receiver),
      wax_proxy_has_writeback_source(call.raw.pointee.L, 1),
      let box = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.pointer
    else { return nil }
    self.box = box
    self.codec = codec
    switch (plan.function.declaration.kind, plan.receiver) {
    case (.setter, .mutableValue), (.subscriptSetter, .mutableValue): before = nil
    // What a C++ object has in memory of its own changes without its bytes.
    case (_, .mutableValue) where !codec.isBitwiseTakable: before = nil
    default:
      let bytes = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
      bytes.copyMemory(from: box, byteCount: codec.size)
      let copy = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
      codec.copy(box, to: copy)
      before = (bytes, copy)
    }
  }

  private static func codec(_ receiver: CallPlan.Receiver) -> ValueCodec? {
    switch receiver {
    case .mutableValue(let codec): codec
    case .value(let argument): argument.codec
    default: nil
    }
  }

  /// Releases the copies after a call whose result nobody takes.
  func forget() {
    guard let before else { return }
    codec.destroy(before.copy)
    before.bytes.deallocate()
    before.copy.deallocate()
  }

  /// Whether the value is another one now.
  func end(_ state: LuaState) -> Bool {
    guard let before else { return true }
    let isChanged = memcmp(before.bytes, box, codec.size) != 0
    state.suspended { codec.destroy(before.copy) }
    before.bytes.deallocate()
    before.copy.deallocate()
    return isChanged
  }
}

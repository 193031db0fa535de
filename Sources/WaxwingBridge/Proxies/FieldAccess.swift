// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Reads and writes one stored property in its owner's memory.
struct FieldAccess {
  private let field: TypeMetadata.Field
  private let codec: ValueCodec
  private let owner: String

  /// - Throws: If values of the property's type cannot cross.
  init(_ field: TypeMetadata.Field, of type: any Any.Type, _ owner: String) throws(LuaRaise) {
    self.field = field
    self.owner = owner
    guard field.isStrong else {
      throw .message("\(owner).\(field.name) is weak or unowned, which cannot be read yet")
    }
    if TypeMetadata.isThinMetatype(field.type) {
      throw .message("\(owner).\(field.name) is always \(TypeName.short(field.type))")
    }
    do throws(UnsupportedType) {
      codec = try CodecLibrary.codec(for: field.type)
    } catch {
      throw .message("\(owner).\(field.name) cannot cross: \(error)")
    }
  }

  func checkWritable() throws(LuaRaise) {
    if !field.isVariable { throw .message("\(owner).\(field.name) is a `let`: it cannot be set") }
  }

  /// (proxy)
  func read(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    codec.push(try memory(reader.read(), reader), call.writer)
  }

  /// (proxy, …, value): the old value is released with the state left.
  func write(_ call: inout LuaCall, valueIndex: Int, _ state: LuaState) throws(LuaRaise) {
    var reader = call.arguments
    let target = try memory(reader.read(), reader)
    for _ in 1..<valueIndex { reader.skip() }
    let new = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    defer { new.deallocate() }
    do throws(ConversionError) {
      try codec.read(&reader, into: new)
    } catch {
      throw .message("\(owner).\(field.name): \(error)")
    }
    swap(target, new)
    state.suspended { codec.destroy(new) }
  }

  private func swap(_ target: UnsafeMutableRawPointer, _ new: UnsafeMutableRawPointer) {
    withUnsafeTemporaryAllocation(byteCount: max(codec.size, 1), alignment: 16) { old in
      let old = old.baseAddress.unsafelyUnwrapped  // not empty
      old.copyMemory(from: target, byteCount: codec.size)
      target.copyMemory(from: new, byteCount: codec.size)
      new.copyMemory(from: old, byteCount: codec.size)
    }
  }

  private func memory(
    _ receiver: waxwing_value, _ reader: LuaReader
  ) throws(LuaRaise) -> UnsafeMutableRawPointer {
    if receiver.tag == WAXWING_OBJECT.rawValue { return receiver.pointer + field.offset }
    if receiver.tag == WAXWING_PROXY.rawValue {
      let proxy = receiver.pointer.assumingMemoryBound(to: waxwing_proxy.self).pointee
      if proxy.kind == WAXWING_PROXY_VALUE.rawValue, let box = proxy.pointer {
        return box + field.offset
      }
    }
    throw .message(
      "\(owner).\(field.name) is asked of \(ValueDescription.of(receiver, reader))")
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Instances that initializers make: pending proxies until the original initializer has run.
package enum Instance {
  /// Lets the pending proxy that an initializer was called on, the call's first argument, hold the
  /// result. After a failable initializer returned nil it stays pending.
  static func fulfil(
    with result: UnsafeMutableRawPointer, _ codec: ValueCodec, _ call: LuaCall
  ) {
    var reader = call.arguments
    let receiver = reader.read()
    guard receiver.tag == WAX_LUA_VALUE_PROXY.rawValue,
      let type = receiver.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.type
    else { return }
    if TypeMetadata.kind(of: TypeMetadata.type(at: type)) == .class {
      guard let object = result.load(as: UnsafeMutableRawPointer?.self) else {
        return consumed(receiver)
      }
      LuaClass.began(object)
      ObjectReference.retain(object)
      let type = object.load(as: UnsafeRawPointer.self)
      if wax_proxy_initialize(call.raw.pointee.L, 1, WAX_PROXY_KIND_OBJECT.rawValue, object, type) {
        return
      }
      ObjectReference.release(object)
    } else if ValueWitnesses(of: TypeMetadata.type(at: type)).isCopyable,
      let box = copy(result, codec, TypeMetadata.type(at: type))
    {
      _ = wax_proxy_initialize(call.raw.pointee.L, 1, WAX_PROXY_KIND_VALUE.rawValue, box, type)
    }
  }

  /// The initializer has failed, and has freed the memory of a class's instance.
  static func consumed(_ receiver: wax_lua_value) {
    guard receiver.tag == WAX_LUA_VALUE_PROXY.rawValue else { return }
    let proxy = receiver.pointer.assumingMemoryBound(to: wax_proxy.self)
    guard proxy.pointee.kind == WAX_PROXY_KIND_PENDING.rawValue, let type = proxy.pointee.type,
      TypeMetadata.kind(of: TypeMetadata.type(at: type)) == .class
    else { return }
    proxy.pointee.pointer = nil
  }

  /// An object of a class whose fields are not initialized, at +1.
  static func allocate(_ metadata: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let layout = LuaClass.Layout(TypeMetadata.type(at: metadata))
    return wax_abi_object_allocate(metadata, layout.instanceSize, layout.alignmentMask)
  }

  /// Frees an object of which an initializer of `type` has initialized nothing yet. The fields that
  /// subclasses have initialized are destroyed, as after any initializer that fails.
  ///
  ///     metadata -> { kind, superclass, flags: UInt32, address point: UInt32,
  ///                   instance size: UInt32, instance alignment mask: UInt16 … }
  ///
  /// include/swift/ABI/Metadata.h, TargetClassMetadata without Objective-C, Swift 6.3.
  package static func abandon(_ object: UnsafeMutableRawPointer, madeBy type: any Any.Type) {
    let metadata = object.load(as: UnsafeRawPointer.self)
    let size = Int(metadata.load(fromByteOffset: 24, as: UInt32.self))
    let mask = Int(metadata.load(fromByteOffset: 28, as: UInt16.self))
    swift_deallocPartialClassInstance(object, TypeMetadata.pointer(to: type), size, mask)
  }

  /// A copy of the struct or enum at `result`, which may be an optional of it; nil for nil.
  private static func copy(
    _ result: UnsafeMutableRawPointer, _ codec: ValueCodec, _ type: any Any.Type
  ) -> UnsafeMutableRawPointer? {
    func copy<Value>(_: Value.Type) -> UnsafeMutableRawPointer? {
      let isOptional = codec.type != Value.self
      let value: Value? =
        isOptional
        ? result.assumingMemoryBound(to: Value?.self).pointee
        : result.assumingMemoryBound(to: Value.self).pointee
      guard let value else { return nil }
      let box = ValueBox.allocate(
        size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
      box.initializeMemory(as: Value.self, to: value)
      return box
    }
    return _openExistential(type, do: copy)
  }

  /// Initializes the result of an initializer, the type itself or an optional of it, with a copy of
  /// the struct or enum in `box`.
  static func copy(
    _ box: UnsafeMutableRawPointer, _ type: any Any.Type, to target: UnsafeMutableRawPointer,
    _ codec: ValueCodec
  ) {
    func copy<Value>(_: Value.Type) {
      let value = box.assumingMemoryBound(to: Value.self).pointee
      if codec.type == Value.self {
        target.initializeMemory(as: Value.self, to: value)
      } else {
        target.initializeMemory(as: Value?.self, to: value)
      }
    }
    _openExistential(type, do: copy)
  }
}

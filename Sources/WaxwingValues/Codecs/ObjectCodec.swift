// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingLua
package import WaxwingLua

/// A class's instances: one proxy an object, which holds it strongly.
/// Unchecked: immutable, like every codec.
package final class ObjectCodec: ValueCodec, @unchecked Sendable {
  package let metadata: UnsafeRawPointer

  init<Object>(class type: Object.Type) {
    metadata = TypeMetadata.pointer(to: type)
    super.init(of: type, plain: .object)
  }

  package override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.object(source.load(as: UnsafeMutableRawPointer.self))
  }

  package override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer, accepts(object)
    else {
      throw mismatch(value, reader)
    }
    ObjectReference.retain(object)
    target.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
  }

  package override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    return value.tag == WAX_LUA_VALUE_OBJECT.rawValue
      && value.pointer == source.load(as: UnsafeMutableRawPointer.self)
  }

  package override func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let object = source.load(as: UnsafeMutableRawPointer.self)
    ObjectReference.retain(object)
    target.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
  }

  package override func destroy(_ target: UnsafeMutableRawPointer) {
    ObjectReference.release(target.load(as: UnsafeMutableRawPointer.self))
  }

  /// Whether the object is of the class or of one that inherits from it.
  package func accepts(_ object: UnsafeMutableRawPointer) -> Bool {
    object.load(as: UnsafeRawPointer.self) == metadata
      || swift_dynamicCastClass(object, metadata) != nil
  }
}

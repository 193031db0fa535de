// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

/// `T.Type`, `any P.Type`, `AnyClass`, `Any.Type`: types themselves. To Lua a type is its type object. From Lua also
/// what it is called, as a type without a type object has to be: `"[Int]"`.
/// Unchecked: immutable, like every codec.
final class MetatypeCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  /// The only value, if there is only one: it takes no room where it stands by itself, so that there
  /// is nothing to be read in memory.
  private let only: UnsafeRawPointer?

  override init() {
    let instance = TypeMetadata.instanceType(of: Value.self)
    only =
      TypeMetadata.isThinMetatype(Value.self) ? instance.map(TypeMetadata.pointer(to:)) : nil
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    // Witness tables, if any, come after the type.
    writer.metatype(only ?? source.load(as: UnsafeRawPointer.self))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let type = Metatype.type(of: reader)
    let value = reader.read()
    guard let type, let metatype = type as? Value else {
      throw mismatch(value, reader)
    }
    target.initializeMemory(as: Value.self, to: metatype)
  }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    return value.tag == WAX_LUA_VALUE_METATYPE.rawValue
      && value.pointer.map { UnsafeRawPointer($0) }
        == (only ?? source.load(as: UnsafeRawPointer.self))
  }
}

/// Types as Lua passes them.
package enum Metatype {
  /// The type that the value a reader stands at means: a type object, or a string with a type as Swift writes it.
  package static func type(of reader: LuaReader) -> (any Any.Type)? {
    guard let text = reader.string(reader.peeked) else { return type(of: reader.peeked) }
    return InstalledLayers.current.type(written: text, reader.source)
  }

  /// The type that a type object stands for; nil for other values.
  package static func type(of value: wax_lua_value) -> (any Any.Type)? {
    guard value.tag == WAX_LUA_VALUE_METATYPE.rawValue, let metadata = value.pointer else {
      return nil
    }
    return TypeMetadata.type(at: UnsafeRawPointer(metadata))
  }
}

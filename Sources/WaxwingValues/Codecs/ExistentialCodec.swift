// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua

/// `Any`, `any P`: by the dynamic type. From Lua an integer is an `Int`, a float a `Double`, a table
/// `[Any]` or `[String: Any]`, a proxy what it holds; to Lua these types go as such, and all others
/// as proxies, so that a value which goes through Lua unchanged keeps its type.
/// Unchecked: immutable, like every codec.
package final class ExistentialCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private let isReference = TypeMetadata.existentialForm(of: Value.self) == .object

  package override init() { super.init() }

  package override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    // The reference comes first, its witness tables after it.
    if isReference { return writer.object(source.load(as: UnsafeMutableRawPointer.self)) }
    let container = ExistentialContainer(source)
    func push<Dynamic>(_: Dynamic.Type) {
      DynamicValue.codec(for: Dynamic.self).push(container.value, writer)
    }
    _openExistential(container.type, do: push)
  }

  package override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let start = reader.peeked
    if isReference, start.tag != WAX_LUA_VALUE_OBJECT.rawValue { throw mismatch(start, reader) }
    if start.tag == WAX_LUA_VALUE_ARRAY.rawValue, let array = array(&reader) {
      target.initializeMemory(as: Value.self, to: array)
      return
    }
    guard let value = try DynamicValue.read(&reader) as? Value else {
      throw mismatch(start, reader)
    }
    target.initializeMemory(as: Value.self, to: value)
  }

  /// Reads a table as an array: for `any Collection<Int>` an array of `Int`, not one of `Any`.
  private func array(_ reader: inout LuaReader) -> Value? {
    let start = reader
    func array<Element>(_: Element.Type) -> (Value, LuaReader)? {
      var attempt = start
      guard let codec = try? CodecLibrary.codec(for: [Element].self),
        let value = try? StoredValue(codec, &attempt).any as? Value
      else { return nil }
      return (value, attempt)
    }
    for element in TypeMetadata.constraints(of: Value.self) {
      guard let (value, rest) = _openExistential(element, do: array) else { continue }
      reader = rest
      return value
    }
    return nil
  }

  /// Whether values that come back from Lua are made anew: they may hold a dictionary.
  package override var isRebuilt: Bool { !isReference }

  package override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    if isReference {
      let value = reader.read()
      return value.tag == WAX_LUA_VALUE_OBJECT.rawValue
        && value.pointer == source.load(as: UnsafeMutableRawPointer.self)
    }
    let container = ExistentialContainer(source)
    func matches<Dynamic>(_: Dynamic.Type) -> Bool {
      DynamicValue.codec(for: Dynamic.self).matches(&reader, container.value)
    }
    return _openExistential(container.type, do: matches)
  }
}

/// `any Error`: the proxy of an error.
/// Unchecked: immutable, like every codec.
final class ErrorCodec: TypedCodec<any Error>, @unchecked Sendable {
  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.error(source.assumingMemoryBound(to: (any Error).self).pointee)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    guard let error = DynamicValue.error(value) ?? DynamicValue.value(asError: value) else {
      throw mismatch(value, reader)
    }
    target.initializeMemory(as: (any Error).self, to: error)
  }

  /// Whether the Lua value is the same error box.
  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard ValueBox.isError(value) else { return false }
    return value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee.pointer
      == source.load(as: UnsafeMutableRawPointer.self)
  }
}

/// Values whose type is known only when they cross.
package enum DynamicValue {
  /// How values of a type go to Lua where no type is declared: so that `read` makes the same of
  /// them. A proxy has `value`, what a declared type would have given.
  static func codec<Value>(for type: Value.Type) -> ValueCodec {
    CodecLibrary.dynamic(for: type) { makeCodec(for: type) }
  }

  private static func makeCodec<Value>(for type: Value.Type) -> ValueCodec {
    guard let codec = try? CodecLibrary.codec(for: type, as: .general) else {
      return BoxCodec<Value>()
    }
    if native.contains(ObjectIdentifier(type)) { return codec }
    switch TypeMetadata.kind(of: type) {
    case .struct, .enum, .optional, .tuple: return LiveCodec<Value>(codec) ?? BoxCodec<Value>()
    default: return codec
    }
  }

  /// The types that `read` makes of values that are no proxies.
  private static let native: Set<ObjectIdentifier> = [
    ObjectIdentifier(Int.self), ObjectIdentifier(Double.self), ObjectIdentifier(Bool.self),
    ObjectIdentifier(String.self), ObjectIdentifier([Any].self),
    ObjectIdentifier([String: Any].self),
  ]

  /// The Swift value that stands for a Lua value by itself.
  package static func read(_ reader: inout LuaReader) throws(ConversionError) -> Any {
    if reader.peeked.tag == WAX_LUA_VALUE_FUNCTION.rawValue { return try function(&reader) }
    let value = reader.read()
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_BOOLEAN: return value.integer != 0
    case WAX_LUA_VALUE_INTEGER: return Int(value.integer)
    case WAX_LUA_VALUE_NUMBER: return value.number
    case WAX_LUA_VALUE_STRING, WAX_LUA_VALUE_BYTES:
      if let text = reader.string(value) { return text }
    case WAX_LUA_VALUE_OBJECT:
      return Unmanaged<AnyObject>.fromOpaque(value.pointer).takeUnretainedValue()
    case WAX_LUA_VALUE_METATYPE: if let type = Metatype.type(of: value) { return type }
    case WAX_LUA_VALUE_PROXY: if let held = held(value) { return held }
    case WAX_LUA_VALUE_ARRAY: return try array(count: Int(value.count), &reader)
    case WAX_LUA_VALUE_TABLE: return try dictionary(count: Int(value.count), &reader)
    default: break
    }
    throw ConversionError(expected: "a value", found: ValueDescription.of(value, reader))
  }

  /// A Lua function of its own has no Swift type; one that stands for a closure has that one's.
  private static func function(_ reader: inout LuaReader) throws(ConversionError) -> Any {
    guard let proxy = reader.closure(reader.peeked)?.pointee, wax_proxy_is_closure(proxy.kind),
      let pointer = proxy.pointer
    else {
      throw ConversionError(expected: "a value", found: "a Lua function, which has no Swift type")
    }
    let closure = InstalledLayers.current.closureType(pointer)
    guard closure.isEscaping, let codec = try? CodecLibrary.codec(for: closure.type, as: .general)
    else {
      throw ConversionError(expected: "a value", found: "a closure that does not escape")
    }
    return try StoredValue(codec, &reader).any
  }

  package static func error(_ value: wax_lua_value) -> (any Error)? {
    guard value.tag == WAX_LUA_VALUE_PROXY.rawValue else { return nil }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_ERROR.rawValue, let box = proxy.pointer else { return nil }
    return withUnsafePointer(to: box) {
      UnsafeRawPointer($0).assumingMemoryBound(to: (any Error).self).pointee
    }
  }

  /// A value or an object whose type conforms to `Error`, as scripts make them.
  static func value(asError value: wax_lua_value) -> (any Error)? {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_OBJECT:
      Unmanaged<AnyObject>.fromOpaque(value.pointer).takeUnretainedValue() as? any Error
    case WAX_LUA_VALUE_PROXY: held(value) as? any Error
    default: nil
    }
  }

  private static func held(_ value: wax_lua_value) -> Any? {
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    switch wax_proxy_kind(rawValue: proxy.kind) {
    case WAX_PROXY_KIND_UINT64: return UInt64(UInt(bitPattern: proxy.pointer))
    case WAX_PROXY_KIND_ERROR: return error(value)
    case WAX_PROXY_KIND_VALUE:
      guard let box = proxy.pointer, let type = proxy.type else { return nil }
      if let live = LiveCollection.of(value) { return live.value }
      if TypeMetadata.type(at: type) is any StandInValue.Type { return nil }
      func load<Value>(_: Value.Type) -> Any { box.assumingMemoryBound(to: Value.self).pointee }
      return _openExistential(TypeMetadata.type(at: type), do: load)
    default: return nil
    }
  }

  private static func array(count: Int, _ reader: inout LuaReader) throws(ConversionError) -> [Any]
  {
    var array: [Any] = []
    array.reserveCapacity(count)
    for index in 0..<count {
      do throws(ConversionError) {
        array.append(try read(&reader))
      } catch {
        throw error.at(.index(index + 1))
      }
    }
    return array
  }

  private static func dictionary(
    count: Int, _ reader: inout LuaReader
  ) throws(ConversionError) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for _ in 0..<count {
      let key = reader.read()
      guard let name = reader.string(key) else {
        throw ConversionError(
          expected: "String as key", found: ValueDescription.of(key, reader))
      }
      do throws(ConversionError) {
        dictionary[name] = try read(&reader)
      } catch {
        throw error.at(.key(name))
      }
    }
    return dictionary
  }
}

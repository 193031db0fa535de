// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// The arguments of a variadic parameter, `T...`, which is an array to the function.
enum VariadicArguments {
  /// Reads the rest of the arguments but for `keeping`, or one table that is all of them.
  /// - Parameters:
  ///   - isLast: No parameter follows, so that such a table is the only argument.
  ///   - prefersTable: A table that could also be one of the arguments is all of them. That is what
  ///     an override was given, and passes on.
  static func collect(
    _ reader: inout LuaReader, keeping: Int, isLast: Bool, prefersTable: Bool,
    _ codec: Unmanaged<ValueCodec>, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let count = max(remaining(reader) - keeping, 0)
    if mayBeAll(reader.peeked), count == 1 || !isLast {
      var whole = reader
      let isElement = !prefersTable && isElement(reader, codec)
      if !isElement, (try? codec.read(&whole, into: target)) != nil {
        reader = whole
        return
      }
    }
    try read(&reader, count, codec, into: target)
  }

  /// Initializes the memory with no arguments at all.
  static func none(
    _ codec: Unmanaged<ValueCodec>, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    var reader = LuaReader.empty
    try read(&reader, 0, codec, into: target)
  }

  /// How many values are left.
  static func remaining(_ reader: LuaReader) -> Int {
    var reader = reader
    var count = 0
    while !reader.isAtEnd {
      reader.skip()
      count += 1
    }
    return count
  }

  static func isTable(_ value: wax_lua_value) -> Bool {
    value.tag == WAX_LUA_VALUE_ARRAY.rawValue || value.tag == WAX_LUA_VALUE_TABLE.rawValue
  }

  /// Whether one value could be all arguments: a table, or what an override gets in place of one, such as
  /// a string for `UInt8...` or an opaque value.
  private static func mayBeAll(_ value: wax_lua_value) -> Bool {
    isTable(value) || value.tag == WAX_LUA_VALUE_STRING.rawValue
      || value.tag == WAX_LUA_VALUE_PROXY.rawValue
  }

  private static func isElement(_ reader: LuaReader, _ codec: Unmanaged<ValueCodec>) -> Bool {
    guard let array = codec._withUnsafeGuaranteedRef({ $0.type }) as? any ArrayType.Type else {
      return false
    }
    return ArgumentFit.cost(of: reader, as: array.elementType) != nil
  }

  /// Reads an array from a table: the values are copied after the head of one.
  private static func read(
    _ reader: inout LuaReader, _ count: Int, _ codec: Unmanaged<ValueCodec>,
    into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let buffer = UnsafeMutablePointer<wax_lua_buffer>.allocate(capacity: 1)
    wax_lua_buffer_init(buffer)
    buffer.pointee.L = reader.source.pointee.L
    defer {
      wax_lua_buffer_free(buffer)
      buffer.deallocate()
    }
    wax_lua_buffer_add_collection(buffer, WAX_LUA_VALUE_ARRAY, UInt32(clamping: count))
    for _ in 0..<count { copy(&reader, to: buffer) }
    var table = LuaReader(buffer)
    try codec.read(&table, into: target)
  }

  /// Copies one value with its parts. Strings are not copied and stay Lua's.
  private static func copy(
    _ reader: inout LuaReader, to buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) {
    var end = reader
    end.skip()
    for _ in 0..<reader.distance(to: end) {
      wax_lua_buffer_append(buffer).pointee = reader.read()
    }
  }
}

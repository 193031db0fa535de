// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import Glibc
public import WaxwingLua

/// Converts the values of one Swift type to Lua values and back.
/// Unchecked: immutable once made.
open class ValueCodec: @unchecked Sendable {
  /// The Swift type of the values.
  package let type: any Any.Type
  private let givenName: String?
  private let name = LazyText()
  /// The type as messages name it: `[String: Int]`.
  package var typeName: String { givenName ?? name.text { TypeName.short(type) } }
  /// Bytes that one value takes in memory.
  package let size: Int
  /// Bytes from one value to the next in an array.
  package let stride: Int
  /// The alignment in bytes.
  package let alignment: Int
  /// How values cross where the codec need not be asked; nil: they need it.
  package let plain: PlainKind?
  /// Whether copying the bytes moves a value: not one that holds a C++ object or a weak reference.
  package let isBitwiseTakable: Bool
  /// Whether values are nothing but their bytes.
  private let isTrivial: Bool

  package init<Value>(of type: Value.Type, plain: PlainKind? = nil, typeName: String? = nil) {
    self.type = type
    self.plain = plain ?? PlainKind(type)
    givenName = typeName
    size = MemoryLayout<Value>.size
    stride = MemoryLayout<Value>.stride
    alignment = MemoryLayout<Value>.alignment
    isBitwiseTakable = ValueWitnesses(of: type).isBitwiseTakable
    isTrivial = _isPOD(type)
  }

  /// Writes the value at `source` for Lua, without changing it.
  open func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    preconditionFailure("abstract")
  }

  /// Reads one value and initializes the memory at `target` with it. On failure the memory stays
  /// uninitialized. The Lua state must be entered.
  open func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    preconditionFailure("abstract")
  }

  /// Whether values are not the callee's even where a parameter is owned: closures that do not
  /// escape.
  open var isLent: Bool { false }

  /// The codec of the result of an autoclosure, which Lua may pass as a plain value instead of a
  /// function; nil for other types.
  open var autoclosureResult: ValueCodec? { nil }

  /// The type that Lua's values become: for an autoclosure, the type of its result.
  package var writtenType: any Any.Type { autoclosureResult?.type ?? type }

  /// Whether the type has a value that can stand where one is missing.
  open var hasNeutral: Bool { NeutralValues.exists(of: type) }

  /// Initializes `target` with that value.
  open func initializeNeutral(_ target: UnsafeMutableRawPointer) {
    NeutralValues.initialize(type, target)
  }

  /// How many Lua values a result of the type is.
  package var resultCount: Int { 1 }

  /// The labels of a tuple's elements.
  package var labels: [String?] { [] }

  /// Pushes a function's result, as `push` does.
  package func pushResult(_ source: UnsafeRawPointer, _ writer: LuaWriter) { push(source, writer) }

  /// Reads a function's result, as `read` does.
  package func readResult(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    try read(&reader, into: target)
  }

  /// Deinitializes the value at `target`.
  open func destroy(_ target: UnsafeMutableRawPointer) {
    preconditionFailure("abstract")
  }

  /// Initializes `target` with a copy of the value at `source`.
  open func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    preconditionFailure("abstract")
  }

  /// Writes `count` values that stand in a row.
  func pushRow(_ source: UnsafeRawPointer, count: Int, _ writer: LuaWriter) {
    if let plain, plain.standsInRows {
      return wax_lua_buffer_add_row(writer.buffer, plain.move, source, count)
    }
    for index in 0..<count { push(source + index * stride, writer) }
  }

  /// Reads `count` values into memory where they stand in a row.
  /// - Returns: How many were read, and if not all, why.
  func readRow(
    _ reader: inout LuaReader, count: Int, into target: UnsafeMutableRawPointer
  ) -> (count: Int, failure: ConversionError?) {
    let taken = takeRow(&reader, count: count, into: target)
    for index in taken..<count {
      let place = target + index * stride
      if let plain, plain.read(reader.peeked, into: place) {
        _ = reader.read()
        continue
      }
      do throws(ConversionError) {
        try read(&reader, into: place)
      } catch {
        return (index, error.at(.index(index + 1)))
      }
    }
    return (count, nil)
  }

  /// Reads the leading values that need no conversion.
  /// - Returns: How many.
  private func takeRow(
    _ reader: inout LuaReader, count: Int, into target: UnsafeMutableRawPointer
  ) -> Int {
    guard let plain, plain.standsInRows else { return 0 }
    let taken = wax_lua_take_row(
      reader.next, plain.move, target, min(count, reader.end - reader.next))
    reader.next += taken
    return taken
  }

  /// Whether a value that Lua has not changed comes back as another one, if it is converted: arrays
  /// and long strings in other memory, slices with other indices, dictionaries and sets in another
  /// order.
  package var isRebuilt: Bool { false }

  /// Whether Lua's value, which is read if so, is what the one at `source` is for Lua: converted, it
  /// would be equal to it in all but where it is in memory. A false no does no harm but for codecs that
  /// are rebuilt.
  open func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    guard isTrivial else { return false }
    var read = reader
    let isSame = withUnsafeTemporaryAllocation(byteCount: size + 16, alignment: 16) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped  // not empty
      if let plain, plain.read(read.peeked, into: memory) {
        _ = read.read()
      } else if (try? self.read(&read, into: memory)) == nil {
        return false
      }
      return memcmp(memory, source, size) == 0
    }
    if isSame { reader = read }
    return isSame
  }

  /// Whether Lua's values match `count` values in a row, as `matches` tells for one.
  func matchesRow(_ reader: inout LuaReader, _ source: UnsafeRawPointer, count: Int) -> Bool {
    var first = 0
    if let plain, plain.standsInRows {
      first = wax_lua_match_row(
        reader.next, plain.move, source, min(count, reader.end - reader.next))
      reader.next += first
    }
    for index in first..<count where !matches(&reader, source + index * stride) { return false }
    return true
  }

  /// Whether a Lua value matches a function's result, as `matches` tells for other values.
  package func matchesResult(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    matches(&reader, source)
  }

  /// Whether values go to Lua as proxies of copies, always.
  package var isBoxing: Bool { false }

  /// The metadata of the type, if values are nothing but their bytes and go both ways as proxies of
  /// copies; nil: they do not. Other Lua values may stand for them, too.
  package var trivialBox: UnsafeRawPointer? { nil }

  /// Whether values of the type are keys of Lua tables that are found again by an equal value: not
  /// if they are proxies, each of which is a key of its own.
  var hasPlainKeys: Bool { false }

  /// Whether this value can be a plain key of a Lua table, for a type that has plain keys.
  func isPlainKey(_ source: UnsafeRawPointer) -> Bool { true }

  /// The operations of the type's values as live collections; nil if they are no collections of
  /// that kind.
  package func collectionForm() -> CollectionForm? { nil }

  /// Reads the proxy that a value of the type is where no type is declared.
  /// - Returns: Whether the next value is one. If not, nothing is read.
  func readProxy(_ reader: inout LuaReader, into target: UnsafeMutableRawPointer) -> Bool {
    guard reader.peeked.tag == WAX_LUA_VALUE_PROXY.rawValue,
      let memory = ValueBox.contents(of: reader.peeked, type: TypeMetadata.pointer(to: type))
    else { return false }
    _ = reader.read()
    copy(memory, to: target)
    return true
  }

  package func mismatch(_ found: wax_lua_value, _ reader: LuaReader) -> ConversionError {
    ConversionError(expected: typeName, found: ValueDescription.of(found, reader))
  }
}

/// A codec that another object keeps alive: using it does not count references.
extension Unmanaged<ValueCodec> {
  @inline(__always)
  package func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    _withUnsafeGuaranteedRef { $0.push(source, writer) }
  }

  @inline(__always)
  package func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    var failure: ConversionError?
    _withUnsafeGuaranteedRef { codec in
      do throws(ConversionError) {
        try codec.read(&reader, into: target)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  @inline(__always)
  package func destroy(_ target: UnsafeMutableRawPointer) {
    _withUnsafeGuaranteedRef { $0.destroy(target) }
  }
}

/// A codec of a type that the compiler knows.
/// Unchecked: immutable, like every codec.
package class TypedCodec<Value>: ValueCodec, @unchecked Sendable {
  init() { super.init(of: Value.self) }

  package final override func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.initializeMemory(
      as: Value.self, to: source.assumingMemoryBound(to: Value.self).pointee)
  }

  package final override func destroy(_ target: UnsafeMutableRawPointer) {
    target.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }
}

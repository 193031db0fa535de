// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `Optional`: nil, or the value. The payload of an optional that is not nil stands at its start.
/// An optional that holds a nil is a proxy: nil is the outermost one.
/// Unchecked: immutable, like every codec.
final class OptionalCodec<Wrapped>: BoxCodec<Wrapped?>, @unchecked Sendable {
  private let wrapped: ValueCodec
  private let isNested = Wrapped.self is any OptionalType.Type
  /// Whether the value in the optional is empty, so that it cannot be told from nil.
  private let isVoid = Wrapped.self == Void.self

  init(_ wrapped: ValueCodec) {
    self.wrapped = wrapped
    super.init()
  }

  override var isBoxing: Bool { false }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let isNil = source.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    if isNil { return writer.nil() }
    if isVoid || isNested && holdsNil(source) { return super.push(source, writer) }
    wrapped.push(source, writer)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if reader.peeked.isNilOrNull {
      _ = reader.read()
      target.initializeMemory(as: Wrapped?.self, to: nil)
      return
    }
    if isNested || isVoid,
      ValueBox.contents(of: reader.peeked)?.type == TypeMetadata.pointer(to: type)
    {
      return try super.read(&reader, into: target)
    }
    // Read in place, then moved: the compiler sets what tells it from nil.
    let payload = target.assumingMemoryBound(to: Wrapped.self)
    do throws(ConversionError) {
      try wrapped.read(&reader, into: target)
    } catch {
      throw error.expecting(typeName)
    }
    let value = payload.move()
    target.initializeMemory(as: Wrapped?.self, to: value)
  }

  override var isRebuilt: Bool { wrapped.isRebuilt }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let isNil = source.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    if reader.peeked.isNilOrNull {
      _ = reader.read()
      return isNil
    }
    if isNil { return false }
    return isVoid || isNested && holdsNil(source)
      ? super.matches(&reader, source) : wrapped.matches(&reader, source)
  }

  /// Whether an optional of an optional, which is not nil itself, holds nil.
  private func holdsNil(_ source: UnsafeRawPointer) -> Bool {
    func check<Optional: OptionalType>(_: Optional.Type) -> Bool {
      source.assumingMemoryBound(to: Optional.self).pointee.isNil
    }
    guard let inner = Wrapped.self as? any OptionalType.Type else { return false }
    return _openExistential(inner, do: check)
  }
}

extension ValueCodec {
  /// Pushes an element of a table as `push` does, except that `null` stands for nil, which would be
  /// a hole.
  func pushElement(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let index = Int(writer.buffer.pointee.count)
    push(source, writer)
    let buffer = writer.buffer
    if buffer.pointee.count == index + 1, buffer.pointee.values[index].isNil {
      buffer.pointee.values[index].tag = WAX_LUA_VALUE_NULL.rawValue
    }
  }
}

/// `Array`: a table by copy.
/// Unchecked: immutable, like every codec.
final class ArrayCodec<Element>: TypedCodec<[Element]>, @unchecked Sendable {
  let element: ValueCodec
  private let elementIsScalar: Bool

  init(_ element: ValueCodec) {
    self.element = element
    elementIsScalar = !(element.type is any OptionalType.Type)
    super.init()
  }

  override func collectionForm() -> CollectionForm? { ArrayForm<Element>(element, self) }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let array = source.assumingMemoryBound(to: [Element].self).pointee
    writer.array(count: array.count)
    array.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else {
        for _ in 0..<array.count { element.pushElement(source, writer) }  // elements of no size
        return
      }
      if elementIsScalar {
        element.pushRow(base, count: array.count, writer)
      } else {
        for index in 0..<array.count { element.pushElement(base + index * element.stride, writer) }
      }
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let value = reader.read()
    if LiveCollection.copy(value, type, into: target) { return }
    guard value.tag == WAX_LUA_VALUE_ARRAY.rawValue else { throw notASequence(value, reader) }
    var failure: ConversionError?
    let array = [Element](unsafeUninitializedCapacity: Int(value.count)) { storage, initialized in
      guard let base = storage.baseAddress else { return }
      (initialized, failure) = element.readRow(
        &reader, count: Int(value.count), into: UnsafeMutableRawPointer(base))
    }
    if let failure { throw failure }
    target.initializeMemory(as: [Element].self, to: array)
  }

  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    if LiveCollection.shares(reader.peeked, type, source) {
      _ = reader.read()
      return true
    }
    return source.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer {
      matches(&reader, $0)
    }
  }

  /// Whether Lua's values match elements in a row.
  func matches(_ reader: inout LuaReader, _ elements: UnsafeBufferPointer<Element>) -> Bool {
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_ARRAY.rawValue, Int(head.count) == elements.count else {
      return false
    }
    // Elements without bytes have no address.
    let base = UnsafeRawPointer(elements.baseAddress) ?? UnsafeRawPointer(ValueBox.nowhere)
    return element.matchesRow(&reader, base, count: elements.count)
  }

  private func notASequence(_ value: wax_lua_value, _ reader: LuaReader) -> ConversionError {
    guard value.tag == WAX_LUA_VALUE_TABLE.rawValue else { return mismatch(value, reader) }
    return ConversionError(
      expected: typeName,
      found: "a table that is not a sequence: " + SequenceFault.of(value, reader))
  }
}

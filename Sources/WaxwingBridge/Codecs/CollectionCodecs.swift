// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `Optional`: nil, or the value. The payload of an optional that is not nil stands at its start.
final class OptionalCodec<Wrapped>: TypedCodec<Wrapped?>, @unchecked Sendable {
  private let wrapped: ValueCodec

  init(_ wrapped: ValueCodec) {
    self.wrapped = wrapped
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let isNil = source.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    if isNil { writer.nil() } else { wrapped.push(source, writer) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if reader.peeked.isNilOrNull {
      _ = reader.read()
      target.initializeMemory(as: Wrapped?.self, to: nil)
      return
    }
    // Read in place, then moved: the compiler sets what tells it from nil.
    let payload = target.assumingMemoryBound(to: Wrapped.self)
    do throws(ConversionError) {
      try wrapped.read(&reader, into: target)
    } catch {
      throw error.path.isEmpty ? error.expecting(typeName) : error
    }
    let value = payload.move()
    target.initializeMemory(as: Wrapped?.self, to: value)
  }
}

extension ValueCodec {
  /// As `push`, for an element of a table, where nil would be a hole: `null` stands for it.
  func pushElement(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let index = Int(writer.buffer.pointee.count)
    push(source, writer)
    let buffer = writer.buffer
    if buffer.pointee.count == index + 1, buffer.pointee.values[index].isNil {
      buffer.pointee.values[index].tag = WAXWING_NULL.rawValue
    }
  }
}

/// `Array`: a table by copy.
final class ArrayCodec<Element>: TypedCodec<[Element]>, @unchecked Sendable {
  private let element: ValueCodec
  private let elementIsScalar: Bool

  init(_ element: ValueCodec) {
    self.element = element
    elementIsScalar = !(element.type is any OptionalType.Type)
    super.init()
  }

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
    guard value.tag == WAXWING_ARRAY.rawValue else { throw notASequence(value, reader) }
    var failure: ConversionError?
    let array = [Element](unsafeUninitializedCapacity: Int(value.count)) { storage, initialized in
      for index in 0..<Int(value.count) {
        do throws(ConversionError) {
          try element.read(&reader, into: UnsafeMutableRawPointer(storage.baseAddress! + index))
          initialized = index + 1
        } catch {
          failure = error.at(.index(index + 1))
          return
        }
      }
    }
    if let failure { throw failure }
    target.initializeMemory(as: [Element].self, to: array)
  }

  private func notASequence(_ value: waxwing_value, _ reader: LuaReader) -> ConversionError {
    guard value.tag == WAXWING_TABLE.rawValue else { return mismatch(value, reader) }
    return ConversionError(
      expected: typeName, found: "a table that is no sequence: " + SequenceFault.of(value, reader))
  }
}

/// `Set`: a sequence of its elements, by copy.
final class SetCodec<Element: Hashable>: TypedCodec<Set<Element>>, @unchecked Sendable {
  private let elements: ArrayCodec<Element>

  init(_ element: ValueCodec) {
    elements = ArrayCodec(element)
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let array = Array(source.assumingMemoryBound(to: Set<Element>.self).pointee)
    withUnsafePointer(to: array) { elements.push($0, writer) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let array = UnsafeMutablePointer<[Element]>.allocate(capacity: 1)
    defer { array.deallocate() }
    try elements.read(&reader, into: array)
    target.initializeMemory(as: Set<Element>.self, to: Set(array.move()))
  }
}

/// `Dictionary`: a table by copy.
final class DictionaryCodec<Key: Hashable, Value>: TypedCodec<[Key: Value]>, @unchecked Sendable {
  private let key: ValueCodec
  private let value: ValueCodec

  init(_ key: ValueCodec, _ value: ValueCodec) {
    self.key = key
    self.value = value
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let dictionary = source.assumingMemoryBound(to: [Key: Value].self).pointee
    writer.table(count: dictionary.count)
    for (key, value) in dictionary {
      withUnsafePointer(to: key) { self.key.push($0, writer) }
      withUnsafePointer(to: value) { self.value.pushElement($0, writer) }
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let head = reader.read()
    let isSequence = head.tag == WAXWING_ARRAY.rawValue
    guard isSequence || head.tag == WAXWING_TABLE.rawValue else { throw mismatch(head, reader) }
    let entry = DictionaryEntry<Key, Value>(key, value)
    defer { entry.deallocate() }
    var dictionary: [Key: Value] = [:]
    dictionary.reserveCapacity(Int(head.count))
    for index in 0..<Int(head.count) {
      let (key, value) = try entry.read(&reader, sequenceIndex: isSequence ? index + 1 : nil)
      guard dictionary.updateValue(value, forKey: key) == nil else {
        throw ConversionError(expected: typeName, found: "two keys that are equal: \(key)")
      }
    }
    target.initializeMemory(as: [Key: Value].self, to: dictionary)
  }
}

/// Room for one entry of a dictionary on its way from Lua.
private struct DictionaryEntry<Key: Hashable, Value> {
  private let keyCodec: ValueCodec
  private let valueCodec: ValueCodec
  private let key = UnsafeMutablePointer<Key>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  init(_ key: ValueCodec, _ value: ValueCodec) {
    keyCodec = key
    valueCodec = value
  }

  func deallocate() {
    key.deallocate()
    value.deallocate()
  }

  /// A sequence has no keys in the buffer: the key is the index.
  func read(
    _ reader: inout LuaReader, sequenceIndex: Int?
  ) throws(ConversionError) -> (Key, Value) {
    let name = sequenceIndex.map { "[\($0)]" } ?? reader.keyName(reader.peeked)
    do throws(ConversionError) {
      try readKey(&reader, sequenceIndex)
    } catch {
      throw ConversionError(expected: "\(error.expected) as key", found: error.found)
        .at(.key(name))
    }
    do throws(ConversionError) {
      try valueCodec.read(&reader, into: value)
    } catch {
      key.deinitialize(count: 1)
      throw error.at(sequenceIndex.map { .index($0) } ?? .key(name))
    }
    return (key.move(), value.move())
  }

  private func readKey(_ reader: inout LuaReader, _ sequenceIndex: Int?) throws(ConversionError) {
    guard let sequenceIndex else { return try keyCodec.read(&reader, into: key) }
    let buffer = UnsafeMutablePointer<waxwing_buffer>.allocate(capacity: 1)
    defer { buffer.deallocate() }
    waxwing_buffer_init(buffer)
    waxwing_buffer_add(buffer, WAXWING_INTEGER, Int64(sequenceIndex))
    var index = LuaReader(buffer)
    try keyCodec.read(&index, into: key)
  }
}

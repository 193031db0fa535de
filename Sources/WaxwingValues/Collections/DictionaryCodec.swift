// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `Dictionary`: a table by copy; a live copy if a key would not be found again in a table.
/// Unchecked: immutable, like every codec.
final class DictionaryCodec<Key: Hashable, Value>: TypedCodec<[Key: Value]>, @unchecked Sendable {
  private let key: ValueCodec
  private let value: ValueCodec

  init(_ key: ValueCodec, _ value: ValueCodec) {
    self.key = key
    self.value = value
    super.init()
  }

  private var form: CollectionForm { DictionaryForm<Key, Value>(key, value, self) }
  override func collectionForm() -> CollectionForm? { form }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let dictionary = source.assumingMemoryBound(to: [Key: Value].self).pointee
    let arePlain =
      key.hasPlainKeys
      && dictionary.keys.allSatisfy { withUnsafePointer(to: $0) { key.isPlainKey($0) } }
    guard arePlain else { return LiveCollection.push(source, form, writer) }
    form.pushTable(source, writer)
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let head = reader.read()
    if LiveCollection.copy(head, type, into: target) { return }
    let isSequence = head.tag == WAX_LUA_VALUE_ARRAY.rawValue
    guard isSequence || head.tag == WAX_LUA_VALUE_TABLE.rawValue else {
      throw mismatch(head, reader)
    }
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

  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let dictionary = source.assumingMemoryBound(to: [Key: Value].self).pointee
    let head = reader.read()
    if LiveCollection.shares(head, type, source) { return true }
    let isSequence = head.tag == WAX_LUA_VALUE_ARRAY.rawValue
    guard isSequence || head.tag == WAX_LUA_VALUE_TABLE.rawValue,
      Int(head.count) == dictionary.count
    else { return false }
    for number in 0..<Int(head.count) {
      let entry =
        isSequence
        ? SequenceIndex.read(number + 1) { find(&$0, in: dictionary) }
        : find(&reader, in: dictionary)
      guard let entry, withUnsafePointer(to: entry, { value.matches(&reader, $0) }) else {
        return false
      }
    }
    return true
  }

  /// The value under the key that `reader` stands at; nil if there is none. Also nil if an equal
  /// key is not the same, as texts of other scalars may be equal.
  private func find(_ reader: inout LuaReader, in dictionary: [Key: Value]) -> Value? {
    let place = UnsafeMutablePointer<Key>.allocate(capacity: 1)
    defer { place.deallocate() }
    var start = reader
    guard (try? key.read(&reader, into: place)) != nil,
      let index = dictionary.index(forKey: place.move())
    else { return nil }
    let (known, value) = dictionary[index]
    return withUnsafePointer(to: known) { key.matches(&start, $0) } ? value : nil
  }
}

/// The keys of a sequence, which are not in the buffer.
private enum SequenceIndex {
  static func read<Result, Failure: Error>(
    _ index: Int, _ body: (inout LuaReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = UnsafeMutablePointer<wax_lua_buffer>.allocate(capacity: 1)
    defer { buffer.deallocate() }
    wax_lua_buffer_init(buffer)
    wax_lua_buffer_add(buffer, WAX_LUA_VALUE_INTEGER, Int64(index))
    var reader = LuaReader(buffer)
    return try body(&reader)
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
      throw error.expecting("\(error.expected) as key").at(.key(name))
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
    try SequenceIndex.read(sequenceIndex) { index throws(ConversionError) in
      try keyCodec.read(&index, into: key)
    }
  }
}

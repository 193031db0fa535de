// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Tuples: as a result several values, elsewhere a table with positions and labels.
/// Unchecked: immutable, like every codec.
final class TupleCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private struct Element {
    let label: String?
    let offset: Int
    let codec: ValueCodec
  }

  private let elements: [Element]

  override init() { fatalError("a tuple codec has elements") }

  init(elements: [(label: String?, offset: Int, codec: ValueCodec)]) {
    self.elements = elements.map { Element(label: $0.label, offset: $0.offset, codec: $0.codec) }
    super.init()
  }

  override var resultCount: Int { elements.count }
  override var labels: [String?] { elements.map(\.label) }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.table(count: elements.count + elements.count { $0.label != nil })
    for (index, element) in elements.enumerated() {
      writer.integer(index + 1)
      element.codec.pushElement(source + element.offset, writer)
    }
    // The same Lua value by its label: what cannot be compared, a closure, must not come back as two.
    for (index, element) in elements.enumerated() {
      guard let label = element.label else { continue }
      writer.string(label)
      writer.part(index + 1)
    }
  }

  override func pushResult(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    for element in elements { element.codec.push(source + element.offset, writer) }
  }

  /// Whether a single table was returned, which cannot be the first element alone.
  private func isWholeTuple(_ reader: LuaReader) -> Bool {
    let tag = reader.peeked.tag
    guard tag == WAX_LUA_VALUE_ARRAY.rawValue || tag == WAX_LUA_VALUE_TABLE.rawValue else {
      return false
    }
    var rest = reader
    rest.skip()
    return rest.isAtEnd
      && elements.dropFirst().contains { !($0.codec.type is any OptionalType.Type) }
  }

  override func readResult(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if isWholeTuple(reader) { return try read(&reader, into: target) }
    var partial = PartiallyInitializedTuple(target)
    for (index, element) in elements.enumerated() {
      do throws(ConversionError) {
        try partial.read(element.codec, at: element.offset, &reader)
      } catch {
        partial.destroy()
        throw error.at(.index(index + 1))
      }
    }
  }

  override var isRebuilt: Bool { elements.contains { $0.codec.isRebuilt } }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_ARRAY.rawValue || head.tag == WAX_LUA_VALUE_TABLE.rawValue,
      let table = try? TablePositions(
        head, &reader, names: elements.map(\.label), typeName: typeName)
    else { return false }
    return elements.enumerated().allSatisfy { index, element in
      var value = table.readers[index] ?? .empty
      return element.codec.matches(&value, source + element.offset)
    }
  }

  override func matchesResult(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    if isWholeTuple(reader) { return matches(&reader, source) }
    return elements.allSatisfy { $0.codec.matches(&reader, source + $0.offset) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_ARRAY.rawValue || head.tag == WAX_LUA_VALUE_TABLE.rawValue
    else {
      throw mismatch(head, reader)
    }
    let table = try TablePositions(
      head, &reader, names: elements.map(\.label), typeName: typeName)
    var partial = PartiallyInitializedTuple(target)
    for (index, element) in elements.enumerated() {
      do throws(ConversionError) {
        var value = table.readers[index] ?? .empty
        try partial.read(element.codec, at: element.offset, &value)
      } catch {
        partial.destroy()
        throw error.at(element.label.map { .key($0) } ?? .index(index + 1))
      }
    }
  }
}

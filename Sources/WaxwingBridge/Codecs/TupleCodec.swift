// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Tuples: as a result several values, elsewhere a table with positions and labels.
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

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let labelled = elements.filter { $0.label != nil }
    writer.table(count: elements.count + labelled.count)
    for (index, element) in elements.enumerated() {
      writer.integer(index + 1)
      element.codec.pushElement(source + element.offset, writer)
    }
    for element in labelled {
      writer.string(element.label ?? "")
      element.codec.pushElement(source + element.offset, writer)
    }
  }

  override func pushResult(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    for element in elements { element.codec.push(source + element.offset, writer) }
  }

  /// Whether a single table was returned, which cannot be the first element alone.
  private func isWholeTuple(_ reader: LuaReader) -> Bool {
    let tag = reader.peeked.tag
    guard tag == WAXWING_ARRAY.rawValue || tag == WAXWING_TABLE.rawValue else { return false }
    var rest = reader
    rest.skip()
    return rest.isAtEnd
      && elements.dropFirst().contains { !($0.codec.type is any OptionalType.Type) }
  }

  override func readResult(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if isWholeTuple(reader) { return try read(&reader, into: target) }
    var partial = PartialTuple(target)
    for (index, element) in elements.enumerated() {
      do throws(ConversionError) {
        try partial.read(element.codec, at: element.offset, &reader)
      } catch {
        partial.destroy()
        throw error.at(.index(index + 1))
      }
    }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let head = reader.read()
    let isSequence = head.tag == WAXWING_ARRAY.rawValue
    guard isSequence || head.tag == WAXWING_TABLE.rawValue else { throw mismatch(head, reader) }
    var values: [Int: LuaReader] = [:]
    for number in 0..<Int(head.count) {
      let index = isSequence ? number : try self.index(reader.read(), reader)
      values[index] = reader
      reader.skip()
    }
    var partial = PartialTuple(target)
    for (index, element) in elements.enumerated() {
      do throws(ConversionError) {
        var value = values[index] ?? .empty
        try partial.read(element.codec, at: element.offset, &value)
      } catch {
        partial.destroy()
        throw error.at(element.label.map { .key($0) } ?? .index(index + 1))
      }
    }
    if let extra = values.keys.max(), extra >= elements.count {
      partial.destroy()
      throw ConversionError(expected: typeName, found: "a table with an element [\(extra + 1)]")
    }
  }

  /// The position, from 0, that a key stands for.
  private func index(_ key: waxwing_value, _ reader: LuaReader) throws(ConversionError) -> Int {
    if key.tag == WAXWING_INTEGER.rawValue, key.integer > 0 { return Int(key.integer) - 1 }
    if let name = reader.string(key), let index = elements.firstIndex(where: { $0.label == name }) {
      return index
    }
    throw ConversionError(
      expected: typeName, found: "a table with the key \(reader.keyName(key))")
  }
}

/// The elements of a tuple that have been made so far.
private struct PartialTuple {
  private let base: UnsafeMutableRawPointer
  private var made: [(codec: ValueCodec, offset: Int)] = []

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  mutating func read(
    _ codec: ValueCodec, at offset: Int, _ reader: inout LuaReader
  ) throws(ConversionError) {
    try codec.read(&reader, into: base + offset)
    made.append((codec, offset))
  }

  func destroy() {
    for element in made { element.codec.destroy(base + element.offset) }
  }
}

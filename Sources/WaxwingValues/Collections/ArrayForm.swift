// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Live arrays: `v[i]`, `v[#v + 1] = x`, `append`, `insert(x, at)`, `remove(at)`, `removeAll`.
/// Unchecked: immutable, like every form.
final class ArrayForm<Element>: CollectionForm, @unchecked Sendable {
  private let element: ValueCodec

  init(_ element: ValueCodec, _ codec: ValueCodec) {
    self.element = element
    super.init(codec)
  }

  private func array(_ base: UnsafeMutableRawPointer) -> UnsafeMutablePointer<[Element]> {
    base.assumingMemoryBound(to: [Element].self)
  }

  override func count(_ base: UnsafeRawPointer) -> Int {
    base.assumingMemoryBound(to: [Element].self).pointee.count
  }

  override func get(
    _ base: UnsafeRawPointer, _ key: LuaReader, _ writer: LuaWriter,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) -> Bool {
    guard let index = key.peekedIndex else { return false }
    let array = base.assumingMemoryBound(to: [Element].self).pointee
    if index >= 1, index <= array.count {
      withUnsafePointer(to: array[index - 1]) { element.pushElement($0, writer) }
    } else {
      writer.nil()
    }
    return true
  }

  /// Sets an element as in a Lua sequence: a value after the last one is appended, and nil removes
  /// the last one.
  override func set(
    _ base: UnsafeMutableRawPointer, _ key: LuaReader, _ value: inout LuaReader,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) {
    let count = count(base)
    guard let index = key.peekedIndex, index >= 1, index <= count + 1 else {
      throw ConversionError(
        expected: "an index from 1 to \(count + 1)", found: ValueDescription.of(key.peeked, key))
    }
    if value.peeked.isNil {
      guard index >= count else {
        throw ConversionError(
          expected: element.typeName, found: "nil, which would leave a hole; use `remove`"
        ).at(.index(index))
      }
      if index == count, let last = array(base).pointee.popLast() { temporaries.add(last) }
      return
    }
    let new = try read(&value, at: .index(index))
    if index == count + 1 { return array(base).pointee.append(new) }
    temporaries.add(array(base).pointee[index - 1])
    array(base).pointee[index - 1] = new
  }

  override func entries(_ base: UnsafeRawPointer, _ writer: LuaWriter) {
    let array = base.assumingMemoryBound(to: [Element].self).pointee
    writer.array(count: 2 * array.count)
    for (index, value) in array.enumerated() {
      writer.integer(index + 1)
      withUnsafePointer(to: value) { element.pushElement($0, writer) }
    }
  }

  override var changing: Set<String> { ["append", "insert", "remove", "removeAll"] }
  override var methodNames: [String] { ["append", "copy", "insert", "remove", "removeAll"] }

  override func method(_ name: String) -> Method? {
    switch name {
    case "append":
      return { (base, arguments, _, _) throws(ConversionError) in
        self.array(base).pointee.append(try self.read(&arguments, at: nil))
      }
    case "insert":
      return { (base, arguments, _, _) throws(ConversionError) in
        let new = try self.read(&arguments, at: nil)
        let index = try self.index(arguments, upTo: self.count(base) + 1)
        self.array(base).pointee.insert(new, at: index - 1)
      }
    case "remove":
      return { (base, arguments, writer, temporaries) throws(ConversionError) in
        let index = try self.index(arguments, upTo: self.count(base))
        let old = self.array(base).pointee.remove(at: index - 1)
        withUnsafePointer(to: old) { self.element.push($0, writer) }
        temporaries.add(old)
      }
    case "removeAll":
      return { (base, _, _, temporaries) throws(ConversionError) in
        temporaries.add(self.array(base).pointee)
        self.array(base).pointee = []
      }
    default: return nil
    }
  }

  private func read(
    _ reader: inout LuaReader, at step: ConversionError.PathStep?
  ) throws(ConversionError) -> Element {
    do throws(ConversionError) {
      return try element.value(&reader, as: Element.self)
    } catch {
      throw step.map { error.at($0) } ?? error
    }
  }

  private func index(_ reader: LuaReader, upTo limit: Int) throws(ConversionError) -> Int {
    guard let index = reader.peekedIndex, index >= 1, index <= limit else {
      throw ConversionError(
        expected: limit == 0
          ? "an index of an array that is not empty" : "an index from 1 to \(limit)",
        found: ValueDescription.of(reader.peeked, reader))
    }
    return index
  }
}

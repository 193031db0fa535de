// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Live sets: `contains(x)`, `insert(x)`, `remove(x)`, `removeAll()`.
/// Unchecked: immutable, like every form.
final class SetForm<Element: Hashable>: CollectionForm, @unchecked Sendable {
  private let element: ValueCodec

  init(_ element: ValueCodec, _ codec: ValueCodec) {
    self.element = element
    super.init(codec)
  }

  private func set(_ base: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Set<Element>> {
    base.assumingMemoryBound(to: Set<Element>.self)
  }

  override func count(_ base: UnsafeRawPointer) -> Int {
    base.assumingMemoryBound(to: Set<Element>.self).pointee.count
  }

  override func get(
    _ base: UnsafeRawPointer, _ key: LuaReader, _ writer: LuaWriter,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) -> Bool { false }

  override func set(
    _ base: UnsafeMutableRawPointer, _ key: LuaReader, _ value: inout LuaReader,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) {
    throw ConversionError(
      expected: "`insert` or `remove`", found: "an assignment, but a set has no indices")
  }

  override func entries(_ base: UnsafeRawPointer, _ writer: LuaWriter) {
    let set = base.assumingMemoryBound(to: Set<Element>.self).pointee
    writer.array(count: 2 * set.count)
    for (index, value) in set.enumerated() {
      writer.integer(index + 1)
      withUnsafePointer(to: value) { element.pushElement($0, writer) }
    }
  }

  override var changing: Set<String> { ["insert", "remove", "removeAll"] }
  override var methodNames: [String] { ["contains", "copy", "insert", "remove", "removeAll"] }

  override func method(_ name: String) -> Method? {
    switch name {
    case "contains":
      return { (base, arguments, writer, temporaries) throws(ConversionError) in
        let value = try self.element.value(&arguments, as: Element.self)
        writer.boolean(self.set(base).pointee.contains(value))
        temporaries.add(value)
      }
    case "insert":
      return { (base, arguments, writer, temporaries) throws(ConversionError) in
        let value = try self.element.value(&arguments, as: Element.self)
        writer.boolean(self.set(base).pointee.insert(value).inserted)
        temporaries.add(value)
      }
    case "remove":
      return { (base, arguments, writer, temporaries) throws(ConversionError) in
        let value = try self.element.value(&arguments, as: Element.self)
        let old = self.set(base).pointee.remove(value)
        writer.boolean(old != nil)
        temporaries.add(value)
        if let old { temporaries.add(old) }
      }
    case "removeAll":
      return { (base, _, _, temporaries) throws(ConversionError) in
        temporaries.add(self.set(base).pointee)
        self.set(base).pointee = []
      }
    default: return nil
    }
  }
}

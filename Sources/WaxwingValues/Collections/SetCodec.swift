// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// `Set`: a sequence of its elements, by copy.
/// Unchecked: immutable, like every codec.
final class SetCodec<Element: Hashable>: TypedCodec<Set<Element>>, @unchecked Sendable {
  private let elements: ArrayCodec<Element>

  init(_ element: ValueCodec) {
    elements = ArrayCodec(element)
    super.init()
  }

  override func collectionForm() -> CollectionForm? { SetForm<Element>(elements.element, self) }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let array = Array(source.assumingMemoryBound(to: Set<Element>.self).pointee)
    withUnsafePointer(to: array) { elements.push($0, writer) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if LiveCollection.copy(reader.peeked, type, into: target) {
      _ = reader.read()
      return
    }
    let array = UnsafeMutablePointer<[Element]>.allocate(capacity: 1)
    defer { array.deallocate() }
    do throws(ConversionError) {
      try elements.read(&reader, into: array)
    } catch {
      throw error.expecting(typeName)
    }
    target.initializeMemory(as: Set<Element>.self, to: Set(array.move()))
  }

  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    if LiveCollection.shares(reader.peeked, type, source) {
      _ = reader.read()
      return true
    }
    let array = Array(source.assumingMemoryBound(to: Set<Element>.self).pointee)
    return array.withUnsafeBufferPointer { elements.matches(&reader, $0) }
  }
}

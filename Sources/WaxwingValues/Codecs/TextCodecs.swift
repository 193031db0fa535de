// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingLua

/// `[UInt8]`: a Lua string of exactly these bytes. From Lua a table of integers will do as well.
/// Unchecked: immutable, like every codec.
final class BytesCodec: TypedCodec<[UInt8]>, @unchecked Sendable {
  private let elements = ArrayCodec<UInt8>(IntegerCodec<UInt8>())

  override func collectionForm() -> CollectionForm? { ArrayForm<UInt8>(elements.element, self) }

  override var hasPlainKeys: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    source.assumingMemoryBound(to: [UInt8].self).pointee.withUnsafeBytes { writer.bytes($0) }
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    guard reader.peeked.isString else { return try elements.read(&reader, into: target) }
    let value = reader.read()
    target.initializeMemory(as: [UInt8].self, to: Array(reader.bytes(of: value)))
  }

  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard value.isString else { return false }
    return source.assumingMemoryBound(to: [UInt8].self).pointee.withUnsafeBufferPointer {
      reader.bytes(of: value).isSame(as: $0)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both have the same bytes.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return count == 0 }
    return memcmp(start, otherStart, count) == 0
  }
}

/// `Substring`: a Lua string, as `String`.
/// Unchecked: immutable, like every codec.
final class SubstringCodec: TypedCodec<Substring>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.string(String(source.assumingMemoryBound(to: Substring.self).pointee))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let value = reader.read()
    guard let text = reader.string(value) else { throw mismatch(value, reader) }
    target.initializeMemory(as: Substring.self, to: text[...])
  }

  /// Whether values that come back from Lua are made anew: a new substring has not the indices of
  /// the text that the old one is a part of.
  override var isRebuilt: Bool { true }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard value.isString else { return false }
    var text = source.assumingMemoryBound(to: Substring.self).pointee
    return text.withUTF8 { reader.bytes(of: value).isSame(as: $0) }
  }
}

/// `Character`: a Lua string of one character as Swift counts them.
/// Unchecked: immutable, like every codec.
final class CharacterCodec: TypedCodec<Character>, @unchecked Sendable {
  override var hasPlainKeys: Bool { true }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    writer.string(String(source.assumingMemoryBound(to: Character.self).pointee))
  }

  override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    if readProxy(&reader, into: target) { return }
    let value = reader.read()
    guard let text = reader.string(value), let character = text.first, text.count == 1 else {
      throw mismatch(value, reader)
    }
    target.initializeMemory(as: Character.self, to: character)
  }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    let value = reader.read()
    guard value.isString else { return false }
    return reader.bytes(of: value)
      .elementsEqual(source.assumingMemoryBound(to: Character.self).pointee.utf8)
  }
}

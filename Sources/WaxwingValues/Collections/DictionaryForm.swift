// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// Live dictionaries: `d[key]`, `d[key] = value`, `d[key] = nil`. Keys are looked up as Swift does,
/// by value. A name that is no key is that of a method.
/// Unchecked: immutable, like every form.
final class DictionaryForm<Key: Hashable, Value>: CollectionForm, @unchecked Sendable {
  private let key: ValueCodec
  private let value: ValueCodec

  init(_ key: ValueCodec, _ value: ValueCodec, _ codec: ValueCodec) {
    self.key = key
    self.value = value
    super.init(codec)
  }

  private func dictionary(_ base: UnsafeMutableRawPointer) -> UnsafeMutablePointer<[Key: Value]> {
    base.assumingMemoryBound(to: [Key: Value].self)
  }

  override func count(_ base: UnsafeRawPointer) -> Int {
    base.assumingMemoryBound(to: [Key: Value].self).pointee.count
  }

  override func get(
    _ base: UnsafeRawPointer, _ key: LuaReader, _ writer: LuaWriter,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) -> Bool {
    let found: Key
    do throws(ConversionError) {
      found = try readKey(key)
    } catch {
      if key.string(key.peeked) != nil { return false }
      throw error
    }
    temporaries.add(found)
    if let value = base.assumingMemoryBound(to: [Key: Value].self).pointee[found] {
      withUnsafePointer(to: value) { self.value.pushElement($0, writer) }
    } else {
      writer.nil()
    }
    return true
  }

  override func set(
    _ base: UnsafeMutableRawPointer, _ key: LuaReader, _ value: inout LuaReader,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) {
    let key = try readKey(key)
    temporaries.add(key)
    if value.peeked.isNil {
      if let old = dictionary(base).pointee.removeValue(forKey: key) { temporaries.add(old) }
      return
    }
    let new: Value
    do throws(ConversionError) {
      new = try self.value.value(&value, as: Value.self)
    } catch {
      throw error.at(.key("[\(key)]"))
    }
    if let old = dictionary(base).pointee.updateValue(new, forKey: key) { temporaries.add(old) }
  }

  override func entries(_ base: UnsafeRawPointer, _ writer: LuaWriter) {
    let dictionary = base.assumingMemoryBound(to: [Key: Value].self).pointee
    writer.array(count: 2 * dictionary.count)
    for (key, value) in dictionary {
      withUnsafePointer(to: key) { self.key.push($0, writer) }
      withUnsafePointer(to: value) { self.value.pushElement($0, writer) }
    }
  }

  /// A key without a Lua form of its own is a proxy, which is found by itself only.
  override func pushTable(_ base: UnsafeRawPointer, _ writer: LuaWriter) {
    let dictionary = base.assumingMemoryBound(to: [Key: Value].self).pointee
    writer.dictionary(count: dictionary.count)
    for (key, value) in dictionary {
      withUnsafePointer(to: key) { self.key.push($0, writer) }
      withUnsafePointer(to: value) { self.value.pushElement($0, writer) }
    }
  }

  override var changing: Set<String> { ["removeAll"] }
  override var methodNames: [String] { ["copy", "removeAll"] }

  override func method(_ name: String) -> Method? {
    if name != "removeAll" { return nil }
    return { (base, _, _, temporaries) throws(ConversionError) in
      temporaries.add(self.dictionary(base).pointee)
      self.dictionary(base).pointee = [:]
    }
  }

  private func readKey(_ reader: LuaReader) throws(ConversionError) -> Key {
    var reader = reader
    do throws(ConversionError) {
      return try key.value(&reader, as: Key.self)
    } catch {
      throw ConversionError(expected: "\(error.expected) as key", found: error.found)
    }
  }
}

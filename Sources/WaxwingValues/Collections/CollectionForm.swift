// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua

/// What a live collection of one type can do. The collection itself is at `base`.
/// Unchecked: immutable; who passes the collection guards that.
package class CollectionForm: @unchecked Sendable {
  /// `(arguments, results)`, the arguments without the receiver.
  package typealias Method = (
    UnsafeMutableRawPointer, inout LuaReader, LuaWriter, inout Temporaries
  ) throws(ConversionError) -> Void

  /// The codec of the whole collection.
  let codec: ValueCodec

  init(_ codec: ValueCodec) { self.codec = codec }

  package func count(_ base: UnsafeRawPointer) -> Int { preconditionFailure("abstract") }

  /// Writes what the collection has for a key, or nil.
  /// - Returns: Whether `key` is of a kind that can be a key.
  package func get(
    _ base: UnsafeRawPointer, _ key: LuaReader, _ writer: LuaWriter,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) -> Bool { preconditionFailure("abstract") }

  /// Changes what the collection has for a key.
  package func set(
    _ base: UnsafeMutableRawPointer, _ key: LuaReader, _ value: inout LuaReader,
    _ temporaries: inout Temporaries
  ) throws(ConversionError) { preconditionFailure("abstract") }

  /// Writes one sequence: a key, its value, the next key …
  package func entries(_ base: UnsafeRawPointer, _ writer: LuaWriter) {
    preconditionFailure("abstract")
  }

  /// Writes a table of what the collection holds, whatever its keys are.
  package func pushTable(_ base: UnsafeRawPointer, _ writer: LuaWriter) { codec.push(base, writer) }

  /// What can be called with `:`. Those in `changing` may change the collection.
  package func method(_ name: String) -> Method? { nil }
  package var changing: Set<String> { [] }
  package var methodNames: [String] { [] }

  /// The codecs that the methods of all forms can be called by.
  package static let allMethods = ["append", "contains", "copy", "insert", "remove", "removeAll"]
}

extension LuaReader {
  /// The index that comes next; nil for another kind of value, or for a float that is no integer.
  package var peekedIndex: Int? {
    let value = peeked
    if value.tag == WAX_LUA_VALUE_INTEGER.rawValue { return Int(value.integer) }
    return value.tag == WAX_LUA_VALUE_NUMBER.rawValue ? Int(exactly: value.number) : nil
  }
}

// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// A value that the function of a call has without its being converted: see wax_lua_lent.h.
package struct LentValue {
  private let raw: UnsafePointer<wax_lua_lent>

  /// Reads a lent value; nil if the Lua value is none.
  @inline(__always)
  package init?(_ value: wax_lua_value) {
    guard value.tag == WAX_LUA_VALUE_LENT.rawValue, let pointer = value.pointer else { return nil }
    raw = UnsafePointer(pointer.assumingMemoryBound(to: wax_lua_lent.self))
  }

  /// Whether the value is one of the codec's type.
  package func fits(_ codec: ValueCodec) -> Bool {
    guard let known = raw.pointee.codec else { return false }
    if known == UnsafeRawPointer(Unmanaged.passUnretained(codec).toOpaque()) { return true }
    return Unmanaged<ValueCodec>.fromOpaque(known)._withUnsafeGuaranteedRef {
      $0.type == codec.type
    }
  }

  /// Initializes `target`, of the same type, with a copy.
  package func copy(_ codec: ValueCodec, to target: UnsafeMutableRawPointer) {
    guard let value = raw.pointee.value else { preconditionFailure("it is nowhere") }
    codec.copy(value, to: target)
  }

  /// Whether the value is the argument at `index` with which the call of this record came.
  package func isArgument(_ index: Int, of call: UnsafeRawPointer) -> Bool {
    raw.pointee.call == call && raw.pointee.argument == Int32(index)
  }
}

extension ValueCodec {
  /// Whether lending the value at `source` is worthwhile: converting it takes longer the larger it
  /// is.
  package func isLent(_ source: UnsafeRawPointer) -> Bool {
    guard self is StringCodec else { return true }
    return source.assumingMemoryBound(to: String.self).pointee.utf8.count > Self.shortString
  }

  /// Bytes of a string that is converted sooner than lent: as in wax_call_moves.h.
  private static let shortString = 64
}

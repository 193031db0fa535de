// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// Memory for metadata, descriptors and witness tables that are made at run time.
///
/// Swift's runtime keeps pointers to them, so that nothing of it is ever freed: who makes something
/// for the second time finds what was made the first time. All of it is in one piece, so that relative
/// pointers, which have 32 bits, reach from any place in it to any other.
/// Unchecked: its contents are under a lock; a piece is written by the thread that took it.
package final class MetadataArena: @unchecked Sendable {
  package static let shared = MetadataArena()

  /// Bytes. Pages that are not used take no memory.
  package static let capacity = 64 << 20

  private struct Contents: ~Copyable {
    var base: UnsafeMutableRawPointer?
    var used = 0
  }

  private let contents = Mutex(Contents())

  /// Bytes that are in use.
  package var used: Int { contents.withLock { $0.used } }

  /// Zeroed memory; nil: there is none left.
  package func allocate(_ size: Int, alignment: Int = 8) -> UnsafeMutableRawPointer? {
    contents.withLock { contents in
      guard let base = contents.base ?? Self.map() else { return nil }
      contents.base = base
      let start = (contents.used + alignment - 1) & ~(alignment - 1)
      guard start + size <= Self.capacity else { return nil }
      contents.used = start + size
      return base + start
    }
  }

  private static func map() -> UnsafeMutableRawPointer? {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
    let found = mmap(nil, capacity, PROT_READ | PROT_WRITE, flags, -1, 0)
    return found == MAP_FAILED ? nil : found
  }

  /// A C string; nil: there is no memory left.
  package func text(_ text: String) -> UnsafeMutableRawPointer? {
    let bytes = Array(text.utf8)
    guard let memory = allocate(bytes.count + 1, alignment: 1) else { return nil }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }

  /// A word that holds a pointer, for relative pointers to what is elsewhere; nil: there is no memory
  /// left.
  package func indirect(to target: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    guard let word = allocate(8) else { return nil }
    word.storeBytes(of: target, as: UnsafeRawPointer.self)
    return word
  }

  /// Writes a relative pointer.
  /// - Parameter flags: What is in its lowest bits.
  /// - Precondition: Both are in the arena.
  package static func relate(
    _ field: UnsafeMutableRawPointer, to target: UnsafeRawPointer, flags: Int32 = 0
  ) {
    field.storeBytes(of: Int32(target - UnsafeRawPointer(field)) | flags, as: Int32.self)
  }
}

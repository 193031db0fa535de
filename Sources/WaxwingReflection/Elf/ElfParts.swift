// SPDX-License-Identifier: MIT

import Glibc

/// Reads parts of an image's file into a buffer of the file's size, as the headers say where they are.
/// Nobody vouches for these: what does not lie in the file is left out, and missed by who reads the
/// image.
/// Safe: each place is compared with the size of the buffer, which `ElfFile` lends.
@safe
struct ElfParts {
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  /// The errno of the first call that failed; 0: none.
  private(set) var failure: Int32 = 0

  init(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) {
    self.descriptor = descriptor
    unsafe self.buffer = unsafe buffer
  }

  /// Whether sections of this type are read.
  static func reads(_ sectionType: UInt32) -> Bool {
    [
      ElfSection.symbolsType, ElfSection.stringsType, ElfSection.noteType,
      ElfSection.dynamicSymbolsType,
    ].contains(sectionType)
  }

  mutating func readSymbols() {
    guard unsafe read(0, min(64, UInt64(buffer.count))), unsafe buffer.count >= 64 else { return }
    guard unsafe buffer.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      // What it is instead is told by its bytes.
      unsafe read(0, UInt64(buffer.count))
      return
    }
    readSegments()
    readSections()
  }

  private mutating func readSegments() {
    let (start, count) = (load(32, UInt64.self), UInt64(load(56, UInt16.self)))
    guard read(start, count * 56) else { return }
    for header in stride(from: Int(start), to: Int(start + count * 56), by: 56)
    where load(header, UInt32.self) == 4 {
      read(load(header + 8, UInt64.self), load(header + 32, UInt64.self))
    }
  }

  private mutating func readSections() {
    let start = load(40, UInt64.self)
    guard start != 0, read(start, ElfSection.headerSize) else { return }
    let first = Int(start)
    let stated = UInt64(load(60, UInt16.self))
    let count = stated == 0 ? load(first + 32, UInt64.self) : stated
    let size = count.multipliedReportingOverflow(by: ElfSection.headerSize)
    guard !size.overflow, read(start, size.partialValue) else { return }
    let statedNames = Int(load(62, UInt16.self))
    let names = statedNames == 0xffff ? Int(load(first + 40, UInt32.self)) : statedNames
    for index in 0..<Int(count) {
      let header = first + index * Int(ElfSection.headerSize)
      guard index == names || Self.reads(load(header + 4, UInt32.self)) else { continue }
      read(load(header + 24, UInt64.self), load(header + 32, UInt64.self))
    }
  }

  /// - Precondition: The bytes have been read.
  private func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, _ type: Value.Type
  ) -> Value {
    unsafe Value(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  /// - Returns: False: it does not lie in the file, or cannot be read.
  @discardableResult
  private mutating func read(_ offset: UInt64, _ size: UInt64) -> Bool {
    let end = offset.addingReportingOverflow(size)
    guard !end.overflow, unsafe end.partialValue <= UInt64(buffer.count), failure == 0 else {
      return false
    }
    var position = Int(offset)
    while position < Int(end.partialValue) {
      let got = unsafe pread(
        descriptor, buffer.baseAddress.map { unsafe $0 + position },
        Int(end.partialValue) - position,
        off_t(position))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        // A file that shrinks meanwhile: no byte of the buffer is to be what it happened to be.
        failure = got < 0 ? errno : EIO
        return false
      }
      position += got
    }
    return true
  }
}

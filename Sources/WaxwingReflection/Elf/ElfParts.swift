// SPDX-License-Identifier: MIT

import Glibc

/// Reads parts of an image's file into a buffer of the file's size, at the places that the headers
/// state. The headers are not trusted: parts outside of the file are left out, and the reader of
/// the image does not find them. Safe: each place is compared with the size of the buffer, which
/// `ElfFile` lends.
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
    guard readHeader() else { return }
    readSegments()
    guard let table = readSectionTable() else { return }
    for index in 0..<table.count {
      let header = table.header(index)
      guard index == table.names || Self.reads(load(header + 4, UInt32.self)) else { continue }
      readSection(header)
    }
  }

  /// - Parameter units: Which units of `.debug_info` are read, by where they begin in it.
  mutating func readDebugInformation(_ names: Set<String>, units: Set<Int>) {
    guard readHeader() else { return }
    readSegments()
    guard let table = readSectionTable(), table.names < table.count else { return }
    let text = table.header(table.names)
    guard readSection(text) else { return }
    let start = Int(load(text + 24, UInt64.self))
    let size = Int(load(text + 32, UInt64.self))
    for index in 0..<table.count where index != table.names {
      let header = table.header(index)
      let offset = Int(load(header, UInt32.self))
      guard offset < size else { continue }
      let name = unsafe String(
        decoding: buffer[(start + offset)..<(start + size)].prefix { $0 != 0 }, as: UTF8.self)
      guard names.contains(name) else { continue }
      if name == ".debug_info" { readUnits(header, units) } else { readSection(header) }
    }
  }

  private mutating func readUnits(_ header: Int, _ units: Set<Int>) {
    let section = load(header + 24, UInt64.self)
    let end = section.addingReportingOverflow(load(header + 32, UInt64.self))
    guard !end.overflow else { return }
    for unit in units {
      let start = section.addingReportingOverflow(UInt64(clamping: unit))
      guard !start.overflow, start.partialValue <= end.partialValue,
        end.partialValue - start.partialValue >= 12, read(start.partialValue, 12)
      else { continue }
      let place = Int(start.partialValue)
      let isLong = load(place, UInt32.self) == 0xffff_ffff
      let length = isLong ? load(place + 4, UInt64.self) : UInt64(load(place, UInt32.self))
      let rest = end.partialValue - start.partialValue
      read(start.partialValue, min(rest, length.addingReportingOverflow(12).partialValue))
    }
  }

  private mutating func readHeader() -> Bool {
    guard unsafe read(0, min(64, UInt64(buffer.count))), unsafe buffer.count >= 64 else {
      return false
    }
    guard unsafe buffer.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      // What it is instead is told by its bytes.
      unsafe read(0, UInt64(buffer.count))
      return false
    }
    return true
  }

  private mutating func readSegments() {
    let (start, count) = (load(32, UInt64.self), UInt64(load(56, UInt16.self)))
    guard read(start, count * 56) else { return }
    for header in stride(from: Int(start), to: Int(start + count * 56), by: 56)
    where load(header, UInt32.self) == 4 {
      read(load(header + 8, UInt64.self), load(header + 32, UInt64.self))
    }
  }

  /// Where the sections' headers are, which have been read.
  private struct SectionTable {
    let first: Int
    let count: Int
    /// The index of the section that has the names.
    let names: Int

    func header(_ index: Int) -> Int { first + index * Int(ElfSection.headerSize) }
  }

  private mutating func readSectionTable() -> SectionTable? {
    let start = load(40, UInt64.self)
    guard start != 0, read(start, ElfSection.headerSize) else { return nil }
    let first = Int(start)
    let stated = UInt64(load(60, UInt16.self))
    let count = stated == 0 ? load(first + 32, UInt64.self) : stated
    let size = count.multipliedReportingOverflow(by: ElfSection.headerSize)
    guard !size.overflow, read(start, size.partialValue) else { return nil }
    let statedNames = Int(load(62, UInt16.self))
    let names = statedNames == 0xffff ? Int(load(first + 40, UInt32.self)) : statedNames
    return SectionTable(first: first, count: Int(count), names: names)
  }

  @discardableResult
  private mutating func readSection(_ header: Int) -> Bool {
    read(load(header + 24, UInt64.self), load(header + 32, UInt64.self))
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

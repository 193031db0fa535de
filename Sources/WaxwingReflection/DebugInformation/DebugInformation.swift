// SPDX-License-Identifier: MIT

/// The facts about an image's functions in its debugging information.
///
/// SwiftPM compiles with it in release as well; `strip --strip-debug` and `-gnone` leave it out. The
/// image is untrusted: damage ends the reading, and what was read before it stays.
package enum DebugInformation {
  /// How methods and accessors that are patch points use `self`, by symbol.
  ///
  /// Cost: two passes over the symbols; one over the units' headers; those that have code of a patch
  /// point are read whole.
  package static func selfKinds(of image: ElfImage) -> [String: SelfKind] {
    guard image.section(named: ".debug_info") != nil, let points = try? codes(of: image),
      !points.isEmpty
    else { return [:] }
    var read: Set<Int> = []
    return selfKinds(of: image, points.values.sorted(), &read) { points[$0] != nil }
  }

  /// How the methods and accessors use `self` in the units that describe the function with this
  /// symbol.
  ///
  /// Cost: the index of names is read, and those units; without an index the whole file.
  /// - Parameter read: Where the units are that have been read before, which are left out; those that were read now are
  ///   added.
  static func selfKinds(
    at path: String, besides symbol: String, leavingOut read: inout Set<Int>
  ) -> [String: SelfKind] {
    guard let units = units(of: symbol, at: path) else {
      guard let image = try? ElfImage(path: path) else { return [:] }
      return selfKinds(of: image, besides: symbol, leavingOut: &read)
    }
    let new = units.subtracting(read)
    guard !new.isEmpty,
      let image = try? ElfImage(path: path, sections: DwarfSections.names, units: new)
    else { return [:] }
    read.formUnion(new)
    return DwarfSections.with(image) { sections in
      var kinds: [String: SelfKind] = [:]
      for start in new.sorted() {
        guard let unit = unsafe DwarfUnit(at: start, in: sections.info) else { continue }
        let found = DwarfFunctions(unit, sections).selfKinds(sections) { _ in true }
        kinds.merge(found) { first, _ in first }
      }
      return kinds
    } ?? [:]
  }

  /// The units that describe a symbol; nil if no index tells it.
  static func units(of symbol: String, at path: String) -> Set<Int>? {
    guard let image = try? ElfImage(path: path, sections: [".debug_names"]),
      let range = image.section(named: ".debug_names").flatMap({ try? image.range(of: $0) })
    else { return nil }
    return unsafe image.reader.bytes.withUnsafeBytes { bytes in
      unsafe DwarfNames.units(of: symbol, in: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// The kinds of `self` of functions in an image whose debugging information has no index.
  private static func selfKinds(
    of image: ElfImage, besides symbol: String, leavingOut read: inout Set<Int>
  ) -> [String: SelfKind] {
    let name = Array(symbol.utf8)
    guard image.section(named: ".debug_info") != nil,
      let symbols = try? unsafe image.symbols(
        in: .complete, where: { unsafe $0.elementsEqual(name) })
    else { return [:] }
    let addresses = symbols.filter(\.isDefined).map(\.value).sorted()
    return addresses.isEmpty ? [:] : selfKinds(of: image, addresses, &read) { _ in true }
  }

  /// - Parameter addresses: In order: what the units are to have code at.
  private static func selfKinds(
    of image: ElfImage, _ addresses: [UInt64], _ read: inout Set<Int>,
    where isWanted: (String) -> Bool
  ) -> [String: SelfKind] {
    var known = read
    let found = DwarfSections.with(image) { sections in
      var kinds: [String: SelfKind] = [:]
      var position = 0
      while let unit = unsafe DwarfUnit(at: position, in: sections.info) {
        let start = position
        position = unit.end
        guard !known.contains(start), isRelevant(unit, sections, addresses) else { continue }
        known.insert(start)
        let functions = DwarfFunctions(unit, sections)
        kinds.merge(functions.selfKinds(sections, where: isWanted)) { first, _ in first }
      }
      return kinds
    }
    read = known
    return found ?? [:]
  }

  /// How all functions in these sections use `self`, without an image around them.
  package static func selfKinds(
    info: [UInt8], abbreviations: [UInt8], strings: [UInt8]
  ) -> [String: SelfKind] {
    unsafe info.withUnsafeBytes { info in
      unsafe abbreviations.withUnsafeBytes { abbreviations in
        unsafe strings.withUnsafeBytes { strings in
          let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
          let sections = unsafe DwarfSections(
            info: info, abbreviations: abbreviations, strings: strings, stringOffsets: none,
            ranges: none, locations: none, lines: none, lineStrings: none)
          var kinds: [String: SelfKind] = [:]
          var position = 0
          while let unit = unsafe DwarfUnit(at: position, in: info) {
            position = unit.end
            let found = DwarfFunctions(unit, sections).selfKinds(sections) { _ in true }
            kinds.merge(found) { first, _ in first }
          }
          return kinds
        }
      }
    }
  }

  /// The code of the functions that have a replacement entry.
  private static func codes(of image: ElfImage) throws(ElfError) -> [String: UInt64] {
    let entries = try image.symbols(in: .complete, suffix: "TX").filter(\.isDefined)
    if entries.isEmpty { return [:] }
    let names = Set(entries.map { String($0.name.dropLast(2)) })
    var codes: [String: UInt64] = [:]
    let swift = Array("$s".utf8)
    for symbol in try unsafe image.symbols(in: .complete, where: { unsafe $0.starts(with: swift) })
    where symbol.isDefined && names.contains(symbol.name) { codes[symbol.name] = symbol.value }
    return codes
  }

  /// The first entry of a unit that is Swift's.
  static func root(of unit: DwarfUnit, _ sections: DwarfSections) -> DwarfEntry? {
    var cursor = unsafe DwarfCursor(sections.info, unit.entries..<unit.end)
    let code = cursor.variable()
    let shapes = unsafe DwarfAbbreviations(unit, in: sections.abbreviations, last: code)
    guard let shape = shapes[code], shape.tag == DwarfEntry.Tag.unit,
      let root = DwarfEntry(shape, unit, &cursor, sections), root.language == DwarfEntry.swift
    else { return nil }
    return root
  }

  /// Whether the unit is Swift's.
  static func isSwift(_ unit: DwarfUnit, _ sections: DwarfSections) -> Bool {
    root(of: unit, sections) != nil
  }

  /// Whether the unit is Swift's and may have code at one of the addresses, which are in order.
  private static func isRelevant(
    _ unit: DwarfUnit, _ sections: DwarfSections, _ addresses: [UInt64]
  ) -> Bool {
    guard let root = root(of: unit, sections) else { return false }
    if let offset = root.ranges {
      return unsafe DwarfRanges(
        sections.ranges, at: offset, base: root.lowAddress ?? 0, unit.addressSize
      )
      .contain(anyOf: addresses)
    }
    guard let low = root.lowAddress, let high = root.highAddress else { return true }
    let end = high.isOffset ? low &+ high.value : high.value
    return DwarfRanges.contains(low, end, anyOf: addresses)
  }
}

/// The list of address ranges that a unit has code in.
/// Safe: a cursor reads, and `DwarfSections` lends what it reads.
@safe
struct DwarfRanges {
  private let section: UnsafeRawBufferPointer
  private let start: Int
  private let base: UInt64
  private let addressSize: Int

  init(_ section: UnsafeRawBufferPointer, at offset: UInt64, base: UInt64, _ addressSize: Int) {
    unsafe self.section = unsafe section
    start = Int(clamping: min(offset, UInt64(section.count)))
    self.base = base
    self.addressSize = addressSize
  }

  func contain(anyOf addresses: [UInt64]) -> Bool {
    all.contains { Self.contains($0.lowerBound, $0.upperBound, anyOf: addresses) }
  }

  /// The ranges that are not empty.
  var all: [Range<UInt64>] {
    var cursor = unsafe DwarfCursor(section, start..<section.count)
    var base = base
    var found: [Range<UInt64>] = []
    let largest = addressSize == 8 ? UInt64.max : UInt64(UInt32.max)
    while !cursor.isAtEnd {
      let low = cursor.number(addressSize)
      let high = cursor.number(addressSize)
      if cursor.isDamaged || (low == 0 && high == 0) { return found }
      if low == largest {
        base = high
      } else if base &+ low < base &+ high {
        found.append(base &+ low..<base &+ high)
      }
    }
    return found
  }

  /// Whether one of the addresses, which are in order, is not below `low` and below `high`.
  static func contains(_ low: UInt64, _ high: UInt64, anyOf addresses: [UInt64]) -> Bool {
    var first = 0
    var end = addresses.count
    while first < end {
      let middle = (first + end) / 2
      if addresses[middle] < low { first = middle + 1 } else { end = middle }
    }
    return first < addresses.count && addresses[first] < high
  }
}

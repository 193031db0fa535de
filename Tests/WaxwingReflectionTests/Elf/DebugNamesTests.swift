// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

@Suite struct DebugNamesTests {
  @Test func `an index leads to the one unit that describes a function`() throws {
    // Of two modules: where a module is compiled as a whole, it is one unit.
    let skip = try Self.symbol("$s17WaxwingReflection", "DwarfCursorV4skipyySiF")
    let mentions = try Self.symbol("$s19WaxwingDeclarations", "TypeNodeO8mentionsySbACF")
    var read: Set<Int> = []
    let kinds = DebugInformation.selfKinds(at: OwnImage.path, besides: skip, leavingOut: &read)
    #expect(kinds[skip] == .mutating)
    #expect(kinds[mentions] == nil)
    #expect(read.count == 1)
    // What has been read is not read again.
    #expect(
      DebugInformation.selfKinds(at: OwnImage.path, besides: skip, leavingOut: &read).isEmpty)
    let others = DebugInformation.selfKinds(at: OwnImage.path, besides: mentions, leavingOut: &read)
    #expect(others[mentions] == .nonmutating)
    #expect(others[skip] == nil)
    #expect(read.count == 2)
  }

  private static func symbol(_ module: String, _ text: String) throws -> String {
    let symbols = try ElfImage(symbolsOf: OwnImage.path).symbols(in: .complete).map(\.name)
    return try #require(
      symbols.first {
        $0.hasPrefix(module) && $0.contains(text) && $0.hasSuffix("F")
      })
  }

  @Test(arguments: [("", 5381), ("ab", 5_863_208), ("AB", 5_863_208), ("$s1a", 2_087_894_286)])
  func `names are found by Bernstein's hash without regard to case`(name: String, hash: UInt32) {
    #expect(DwarfNames.hash(name) == hash)
  }

  private static func units(_ symbol: String, _ bytes: [UInt8]) -> Set<Int>? {
    unsafe bytes.withUnsafeBytes { unsafe DwarfNames.units(of: symbol, in: $0) }
  }

  @Test func `each index of several is looked at`() {
    let two = SmallNames.index("$s1a", unit: 7) + SmallNames.index("$s1b", unit: 9)
    #expect(Self.units("$s1a", two) == [7])
    #expect(Self.units("$s1b", two) == [9])
    #expect(Self.units("$s1c", two) == [])
    #expect(Self.units("$s1a", SmallNames.index("$s1a", unit: 7, tag: 0x34)) == [])
    #expect(Self.units("$s1a", []) == nil)
  }

  @Test func `a damaged index is none, or leads somewhere else`() {
    let whole = SmallNames.index("$s1a", unit: 7)
    for count in 1..<whole.count { #expect(Self.units("$s1a", Array(whole[..<count])) == nil) }
    for place in whole.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var bytes = whole
        bytes[place] = value
        _ = Self.units("$s1a", bytes)
      }
    }
  }
}

/// An index with one unit, one bucket and one name, made byte by byte.
enum SmallNames {
  static func index(_ name: String, unit: Int, tag: UInt8 = 0x2e) -> [UInt8] {
    let shapes: [UInt8] = [1, tag, 1, 0x0b, 3, 0x13, 0, 0, 0]
    let entries: [UInt8] = [1, 0] + word(42) + [0]
    var body: [UInt8] = [5, 0, 0, 0] + word(1) + word(0) + word(0) + word(1) + word(1)
    body += word(shapes.count) + word(4) + Array("TEST".utf8)
    body += word(unit) + word(1) + word(Int(DwarfNames.hash(name))) + word(0) + word(0)
    body += shapes + entries
    return word(body.count) + body
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

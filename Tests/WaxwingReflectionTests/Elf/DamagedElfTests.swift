// SPDX-License-Identifier: MIT

import SeededRandom
import Testing

@testable import WaxwingReflection

/// Damaged images may be read or refused; they must not trap.
@Suite struct DamagedElfTests {
  private static func exercise(_ bytes: [UInt8]) {
    guard let image = try? ElfImage(bytes: bytes) else { return }
    for section in image.sections { _ = try? image.bytes(of: section) }
    for table in ElfSymbolTable.allCases { _ = try? image.symbols(in: table) }
    _ = try? PatchPointCatalog(image: image)
  }

  @Test func `an image cut short anywhere is survived`() throws {
    let whole = SmallElf.image(patchPoints: true)
    for length in 0..<whole.count { Self.exercise(Array(whole[..<length])) }
  }

  @Test func `a library cut short is refused`() throws {
    let whole = try ElfFile.bytes(path: ToolchainLibrary.swiftConcurrency.path)
    for length in stride(from: 64, to: 64 * 200, by: 64) {
      #expect(throws: ElfError.self) { try ElfImage(bytes: Array(whole[..<length])) }
    }
  }

  @Test func `flipped bytes are survived`() {
    let whole = SmallElf.image(patchPoints: true)
    var random = TestSeed(11).generator
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        bytes[position] =
          [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      Self.exercise(bytes)
    }
  }

  @Test(arguments: [0, 8, 32, 40, 54, 56, 58, 60, 62])
  func `header fields of the greatest values are survived`(offset: Int) {
    for width in [1, 2, 4, 8] {
      var bytes = SmallElf.image(patchPoints: true)
      for position in offset..<(offset + width) where position > 5 { bytes[position] = 0xff }
      Self.exercise(bytes)
    }
  }
}

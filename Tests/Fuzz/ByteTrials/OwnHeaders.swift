// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingReflection

/// Small ELF images out of the running program's own: its header, its program headers, all section
/// headers, and of the sections that are read the first bytes, moved together.
enum OwnHeaders {
  private static let headerSize = 64
  private static let sectionHeaderSize = 64
  /// What is read of a program: names, symbols, notes. Multiples of a symbol's size.
  private static let kept: [(name: String, bytes: Int)] = [
    (".shstrtab", 4096), (".note.gnu.build-id", 256), (".symtab", 24 * 64), (".strtab", 4096),
    (".dynsym", 24 * 64), (".dynstr", 4096),
  ]

  static func images() -> [[UInt8]] {
    let whole = Corpus.contents(of: "/proc/self/exe")
    guard let image = try? ElfImage(bytes: whole)
    else { return [] }
    let all = assemble(whole, image, Set(kept.map(\.name)))
    // One with the dynamic symbols only, as a stripped program has.
    let stripped = assemble(
      whole, image, [".shstrtab", ".note.gnu.build-id", ".dynsym", ".dynstr"])
    return [all, stripped]
  }

  private static func assemble(
    _ whole: [UInt8], _ image: ElfImage, _ names: Set<String>
  ) -> [UInt8] {
    let table = Int(number(whole, 40, 8))
    var headers = Array(whole[table..<(table + image.sections.count * sectionHeaderSize)])
    var bytes = Array(whole[..<headerSize])
    for (index, section) in image.sections.enumerated() {
      let header = index * sectionHeaderSize
      let (offset, size) = (
        Int(number(headers, header + 24, 8)), Int(number(headers, header + 32, 8))
      )
      let limit = kept.first { $0.name == section.name && names.contains($0.name) }?.bytes ?? 0
      let length = number(headers, header + 4, 4) == 8 ? 0 : min(size, limit)
      put(UInt64(bytes.count), into: &headers, header + 24)
      put(UInt64(length), into: &headers, header + 32)
      bytes += whole[offset..<(offset + length)]
    }
    put(UInt64(bytes.count), into: &bytes, 40)
    return bytes + headers
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> UInt64 {
    bytes[place..<(place + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func put(_ value: UInt64, into bytes: inout [UInt8], _ place: Int) {
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}

// SPDX-License-Identifier: MIT

/// The code of an image that is not loaded, in this process's memory, and its references to other
/// images.
package struct ElfCode {
  /// Where the file's bytes are while they are looked at.
  package struct Memory {
    /// Where bytes may be read.
    package let range: Range<UInt>
    fileprivate let distance: UInt

    /// Where what has an address in the image is now.
    package func place(of address: UInt64) -> UInt { UInt(address) &+ distance }

    /// The address in the image.
    package func address(of place: UInt) -> UInt64 { UInt64(place &- distance) }
  }

  private let image: ElfImage
  private let text: ElfSection
  /// The names of other images' functions, by the address of the word that holds theirs.
  private let names: [UInt64: String]

  /// Reads an image's code; nil if the image has none.
  package init?(_ image: ElfImage) {
    guard let text = image.section(named: ".text"), (try? image.range(of: text)) != nil
    else { return nil }
    self.image = image
    self.text = text
    names = Self.names(image)
  }

  /// The name of the function of another image that this word holds the address of.
  package func imported(_ word: UInt64) -> String? { names[word] }

  /// Where the symbols are that begin like this.
  package func addresses(prefix: String) -> Set<UInt64> {
    let prefix = Array(prefix.utf8)
    let found = try? unsafe image.symbols(in: .complete) { unsafe $0.starts(with: prefix) }
    return Set((found ?? []).map(\.value))
  }

  /// All symbols of the image, by name, and where each ends: at the next one.
  package func symbols() -> (addresses: [String: UInt64], sorted: [UInt64]) {
    let found = (try? image.symbols(in: .complete)) ?? []
    let defined = found.filter(\.isDefined)
    return (
      Dictionary(defined.map { ($0.name, $0.value) }) { first, _ in first },
      defined.map(\.value).sorted()
    )
  }

  /// Code and the jumps that it makes to other images are one segment: they are as far from each other
  /// in the file as in memory.
  package func withMemory<Result>(_ body: (Memory) -> Result) -> Result {
    unsafe image.reader.bytes.withUnsafeBytes { bytes in
      let start = UInt(bitPattern: bytes.baseAddress)
      return body(
        Memory(
          range: start..<(start + UInt(bytes.count)),
          distance: start &+ UInt(text.offset) &- UInt(text.address)))
    }
  }

  /// `{ offset, info: symbol << 32 | type, addend }` each.
  private static func names(_ image: ElfImage) -> [UInt64: String] {
    guard let table = image.section(named: ElfSymbolTable.dynamic.rawValue),
      let symbols = try? image.range(of: table),
      let strings = image.sections.dropFirst(Int(table.link)).first,
      let names = try? image.range(of: strings)
    else { return [:] }
    var found: [UInt64: String] = [:]
    for name in [".rela.plt", ".rela.dyn"] {
      guard let section = image.section(named: name), let range = try? image.range(of: section)
      else { continue }
      for start in stride(from: range.lowerBound, to: range.upperBound - 23, by: 24) {
        let word = UInt64(start)
        guard let offset = try? image.reader.load(UInt64.self, at: word, part: "data"),
          let info = try? image.reader.load(UInt64.self, at: word + 8, part: "data"), info >> 32 > 0
        else { continue }
        let symbol = symbols.lowerBound + Int(info >> 32) * ElfSymbol.entrySize
        guard symbol + ElfSymbol.entrySize <= symbols.upperBound,
          let index = try? image.reader.load(UInt32.self, at: UInt64(symbol), part: "a symbol")
        else { continue }
        found[offset] = image.reader.string(at: UInt64(index), in: names)
      }
    }
    return found
  }
}

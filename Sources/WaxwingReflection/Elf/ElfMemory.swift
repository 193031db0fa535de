// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// An image's bytes by their addresses in memory, relative to its load address. References of a
/// damaged image that lead nowhere are nil.
struct ElfMemory {
  /// The target of a pointer in the image when the image is loaded.
  enum Target: Hashable {
    case address(UInt64)
    /// A symbol of another image.
    case symbol(String)
  }

  private let reader: ElfReader
  private let sections: [ElfSection]
  /// The targets of relocated pointers, by the address of the pointer.
  private let relocated: [UInt64: Target]

  init(_ image: ElfImage) {
    reader = image.reader
    sections = image.sections.filter { $0.address != 0 && $0.type != ElfSection.noBitsType }
    relocated = Self.relocations(of: image)
  }

  func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type, at address: UInt64
  ) -> Value? {
    offset(of: address).flatMap { try? reader.load(type, at: $0, part: "data") }
  }

  /// The target of a relative pointer; nil if it is null.
  func relative(at address: UInt64) -> UInt64? {
    guard let distance = load(Int32.self, at: address), distance != 0 else { return nil }
    return address &+ UInt64(bitPattern: Int64(distance))
  }

  /// The target of a pointer.
  func pointer(at address: UInt64) -> Target? {
    relocated[address] ?? load(UInt64.self, at: address).map(Target.address)
  }

  /// A text that ends at a zero.
  func text(at address: UInt64) -> String? {
    guard let start = offset(of: address) else { return nil }
    let rest = reader.bytes[Int(start)...]
    return rest.firstIndex(of: 0).map { String(decoding: rest[..<$0], as: UTF8.self) }
  }

  /// The bytes of a mangled name, which ends at a zero that is no part of a reference.
  func mangledName(at address: UInt64) -> ArraySlice<UInt8>? {
    guard let start = offset(of: address).map(Int.init) else { return nil }
    var end = start
    while end < reader.bytes.count, reader.bytes[end] != 0 {
      end += 1 + Demangler.referenceSize(reader.bytes[end])
    }
    return end < reader.bytes.count ? reader.bytes[start..<end] : nil
  }

  /// Where a byte is in the file.
  private func offset(of address: UInt64) -> UInt64? {
    for section in sections where address >= section.address {
      let distance = address - section.address
      guard distance < section.size else { continue }
      let offset = section.offset.addingReportingOverflow(distance)
      guard !offset.overflow, offset.partialValue < UInt64(reader.bytes.count) else { return nil }
      return offset.partialValue
    }
    return nil
  }
}

extension ElfMemory {
  /// The types of relative relocations: `R_X86_64_RELATIVE` and `R_AARCH64_RELATIVE`.
  private static let relativeTypes: Set<UInt32> = [8, 1027]

  /// The pointers that the loader writes: `{ offset, info: symbol << 32 | type, addend }` each.
  private static func relocations(of image: ElfImage) -> [UInt64: Target] {
    guard let section = image.section(named: ".rela.dyn"),
      let range = try? image.range(of: section)
    else { return [:] }
    let names = DynamicNames(image)
    var found: [UInt64: Target] = [:]
    for start in stride(from: range.lowerBound, to: range.upperBound - 23, by: 24) {
      func word(_ index: UInt64) -> UInt64 {
        (try? image.reader.load(UInt64.self, at: UInt64(start) + index * 8, part: "data")) ?? 0
      }
      let type = UInt32(truncatingIfNeeded: word(1))
      if relativeTypes.contains(type) {
        found[word(0)] = .address(word(2))
      } else if word(2) == 0, let name = names?[Int(word(1) >> 32)] {
        found[word(0)] = name
      }
    }
    return found
  }

  /// The symbols that relocations name by their indices.
  private struct DynamicNames {
    private let reader: ElfReader
    private let symbols: Range<Int>
    private let names: Range<Int>

    init?(_ image: ElfImage) {
      guard let table = image.section(named: ElfSymbolTable.dynamic.rawValue),
        let symbols = try? image.range(of: table),
        let strings = image.sections.dropFirst(Int(table.link)).first,
        let names = try? image.range(of: strings)
      else { return nil }
      reader = image.reader
      (self.symbols, self.names) = (symbols, names)
    }

    /// The address of the symbol, if this image has it, or else its name. Only symbols of types are
    /// of use.
    subscript(index: Int) -> Target? {
      let start = symbols.lowerBound + index * ElfSymbol.entrySize
      guard index > 0, start + ElfSymbol.entrySize <= symbols.upperBound,
        let name = try? reader.load(UInt32.self, at: UInt64(start), part: "a symbol"),
        let section = try? reader.load(UInt16.self, at: UInt64(start) + 6, part: "a symbol"),
        let value = try? reader.load(UInt64.self, at: UInt64(start) + 8, part: "a symbol")
      else { return nil }
      if section != 0 { return .address(value) }
      let text = reader.string(at: UInt64(name), in: names)
      return text.hasPrefix("$s") ? .symbol(text) : nil
    }
  }
}

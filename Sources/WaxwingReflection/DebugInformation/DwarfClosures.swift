// SPDX-License-Identifier: MIT

/// The closures that a unit describes.
///
/// The compiler describes a closure as a function whose formal parameters are the closure's own and then what it has
/// captured, in the order of its context. A captured `var` has a type that is not constant. (Measured with Swift 6.3.1,
/// debug and release.)
struct DwarfClosures {
  private struct Function {
    let symbol: DwarfString?
    let origin: Int?
    let file: UInt64?
    let line: UInt64?
    /// Nil: one of its parameters has no name here, as in a copy or a declaration.
    var parameters: [(name: DwarfString, type: Int?)]? = []
  }

  /// A type. One without a name stands for another: a constant one, or a struct around a bound generic type, which is
  /// the type of its member.
  private struct TypeEntry {
    let symbol: DwarfString?
    var other: Int?
  }

  private var functions: [Int: Function] = [:]
  private var types: [Int: TypeEntry] = [:]
  private var constants: Set<Int> = []
  private var files = DwarfFileNames()

  /// Reads a unit, as far as it is valid.
  init(_ unit: DwarfUnit, _ sections: DwarfSections) {
    let shapes = unsafe DwarfAbbreviations(unit, in: sections.abbreviations)
    unit.forEachEntry(shapes, sections, reading: Self.isRead) { place, entry in
      guard let entry else { return }
      if place.tag == DwarfEntry.Tag.unit { files = DwarfFileNames(entry.lineTable, sections) }
      note(entry, place.tag, at: place.offset, in: place.parent)
    }
  }

  private static func isRead(_ tag: UInt64) -> Bool {
    switch tag {
    case DwarfEntry.Tag.unit, DwarfEntry.Tag.function, DwarfEntry.Tag.parameter,
      DwarfEntry.Tag.constant, DwarfEntry.Tag.member:
      true
    default: DwarfEntry.Tag.types.contains(tag)
    }
  }

  private mutating func note(_ entry: DwarfEntry, _ tag: UInt64, at offset: Int, in parent: Int) {
    switch tag {
    case DwarfEntry.Tag.unit: break
    case DwarfEntry.Tag.function:
      functions[offset] = Function(
        symbol: entry.symbol, origin: entry.origin, file: entry.file, line: entry.line)
    case DwarfEntry.Tag.parameter:
      if let name = entry.name {
        functions[parent]?.parameters?.append((name, entry.type))
      } else {
        functions[parent]?.parameters = nil
      }
    case DwarfEntry.Tag.constant:
      constants.insert(offset)
      types[offset] = TypeEntry(symbol: nil, other: entry.type)
    case DwarfEntry.Tag.member:
      if types[parent]?.symbol == nil { types[parent]?.other = entry.type }
    default: types[offset] = TypeEntry(symbol: entry.symbol ?? entry.name)
    }
  }

  /// The closures for whose symbols `isWanted` is true, by symbol.
  func closures(
    _ sections: DwarfSections, where isWanted: (String) -> Bool
  ) -> [String: DescribedClosure] {
    var found: [String: DescribedClosure] = [:]
    for function in functions.values {
      let declared = function.origin.flatMap { functions[$0] }
      guard let parameters = function.parameters, let line = function.line ?? declared?.line,
        let file = (function.file ?? declared?.file).flatMap({ files[$0] }),
        let symbol = symbol(of: function)
      else { continue }
      let bytes = unsafe symbol.bytes(sections)
      guard unsafe bytes.last == UInt8(ascii: "_") else { continue }
      let name = unsafe String(decoding: bytes, as: UTF8.self)
      // Of several, the one with the most variables is the definition.
      guard isWanted(name), found[name].map({ $0.variables.count < parameters.count }) != false
      else { continue }
      found[name] = DescribedClosure(
        file: file, line: Int(clamping: line),
        variables: parameters.map { variable($0.name, $0.type, sections) })
    }
    return found
  }

  private func variable(
    _ name: DwarfString, _ type: Int?, _ sections: DwarfSections
  ) -> DescribedClosure.Variable {
    DescribedClosure.Variable(
      name: unsafe String(decoding: name.bytes(sections), as: UTF8.self),
      type: type.flatMap(name(ofType:)).flatMap {
        Self.typeName(unsafe String(decoding: $0.bytes(sections), as: UTF8.self))
      }, isMutable: type.map { !constants.contains($0) } ?? false)
  }

  private func name(ofType type: Int) -> DwarfString? {
    var current = types[type]
    for _ in 0..<4 {
      if let symbol = current?.symbol { return symbol }
      current = current?.other.flatMap { types[$0] }
    }
    return nil
  }

  /// `Si` of `$sSiD`.
  private static func typeName(_ symbol: String) -> String? {
    guard symbol.hasPrefix("$s"), symbol.hasSuffix("D") else { return nil }
    return String(symbol.dropFirst(2).dropLast())
  }

  /// A definition refers to its declaration, which has the symbol.
  private func symbol(of function: Function) -> DwarfString? {
    var current = function
    for _ in 0..<4 {
      if let symbol = current.symbol { return symbol }
      guard let origin = current.origin, let next = functions[origin] else { return nil }
      current = next
    }
    return nil
  }
}

extension DebugInformation {
  /// What an image's debugging information tells of its closures, by symbol.
  ///
  /// Cost: all units in Swift are read whole.
  package static func closures(
    of image: ElfImage, where isWanted: (String) -> Bool = { _ in true }
  ) -> [String: DescribedClosure] {
    guard image.section(named: ".debug_info") != nil else { return [:] }
    return DwarfSections.with(image) { sections in
      var found: [String: DescribedClosure] = [:]
      var position = 0
      while let unit = unsafe DwarfUnit(at: position, in: sections.info) {
        position = unit.end
        guard isSwift(unit, sections) else { continue }
        let closures = DwarfClosures(unit, sections).closures(sections, where: isWanted)
        found.merge(closures, uniquingKeysWith: DescribedClosure.better)
      }
      return found
    } ?? [:]
  }

  /// What debugging information tells of the closure with this symbol, in the units that the index of names tells; nil:
  /// nothing. The index has no function without code: of a closure whose body is in its forwarder only that.
  static func closure(symbol: String, at path: String) -> DescribedClosure? {
    var units: Set<Int> = []
    for name in [symbol, symbol + "TA"] {
      units.formUnion(Self.units(of: name, at: path) ?? [])
    }
    guard !units.isEmpty,
      let image = try? ElfImage(path: path, sections: DwarfSections.names, units: units)
    else { return nil }
    return DwarfSections.with(image) { sections in
      var found: DescribedClosure?
      for start in units {
        guard let unit = unsafe DwarfUnit(at: start, in: sections.info) else { continue }
        let closures = DwarfClosures(unit, sections).closures(sections) { $0 == symbol }
        guard let closure = closures[symbol] else { continue }
        found = found.map { DescribedClosure.better($0, closure) } ?? closure
      }
      return found
    } ?? nil
  }
}

extension DescribedClosure {
  /// The one that tells more.
  fileprivate static func better(_ one: DescribedClosure, _ other: DescribedClosure)
    -> DescribedClosure
  {
    one.variables.count < other.variables.count ? other : one
  }
}

// SPDX-License-Identifier: MIT

/// The functions of a unit for which debugging information describes `self`, and its kind.
///
/// The compiler describes `self` as it has lowered it (measured with Swift 6.3.1, debug and release,
/// against what the compiler's symbol graph says of 1,300 methods and accessors):
///
///     borrowed    DW_TAG_formal_parameter, artificial, of a DW_TAG_const_type
///     mutating    DW_TAG_formal_parameter, artificial, of the type itself
///     consuming   DW_TAG_variable of the type itself, on the function's own line
///
/// `__consuming`, which is older than `consuming`, looks as if it were borrowed. A function that the
/// optimizer has merged with an equal one is not described at all.
struct DwarfFunctions {
  private struct Function {
    let symbol: DwarfString?
    let origin: Int?
    let line: UInt64?
    var parameterType: Int??
    var variable: (type: Int?, line: UInt64?)?
  }

  private var functions: [Int: Function] = [:]
  private var constants: Set<Int> = []

  /// Reads a unit, as far as it is valid.
  init(_ unit: DwarfUnit, _ sections: DwarfSections) {
    let shapes = unsafe DwarfAbbreviations(unit, in: sections.abbreviations)
    var cursor = unsafe DwarfCursor(sections.info, unit.entries..<unit.end)
    // The entries that the next one is within: where a function is, else -1.
    var parents: [Int] = []
    var stringOffsets: Int?
    while !cursor.isAtEnd {
      let offset = cursor.position
      let code = cursor.variable()
      if code == 0 {
        guard parents.popLast() != nil else { return }
        continue
      }
      guard let shape = shapes[code] else { return }
      var isFunction = false
      switch shape.tag {
      case DwarfEntry.Tag.unit, DwarfEntry.Tag.function, DwarfEntry.Tag.parameter,
        DwarfEntry.Tag.variable:
        guard let entry = DwarfEntry(shape, unit, &cursor, sections, stringOffsets: stringOffsets)
        else { return }
        switch shape.tag {
        case DwarfEntry.Tag.unit: stringOffsets = entry.stringOffsets
        case DwarfEntry.Tag.function:
          isFunction = true
          functions[offset] = Function(
            symbol: entry.symbol, origin: entry.origin, line: entry.line)
        default: note(entry, shape.tag, parents.last ?? -1, sections)
        }
      default:
        if shape.tag == DwarfEntry.Tag.constant { constants.insert(offset) }
        guard shape.skip(unit, &cursor) else { return }
      }
      if shape.hasChildren { parents.append(isFunction ? offset : -1) }
    }
  }

  private mutating func note(
    _ entry: DwarfEntry, _ tag: UInt64, _ parent: Int, _ sections: DwarfSections
  ) {
    guard functions[parent] != nil, entry.name?.equals("self", sections) == true else { return }
    if tag == DwarfEntry.Tag.variable {
      functions[parent]?.variable = (entry.type, entry.line)
    } else if entry.isArtificial {
      functions[parent]?.parameterType = .some(entry.type)
    }
  }

  /// How each function for which `isWanted` is true uses `self`, by symbol.
  func selfKinds(
    _ sections: DwarfSections, where isWanted: (String) -> Bool
  ) -> [String: SelfKind] {
    var kinds: [String: SelfKind] = [:]
    for function in functions.values {
      guard let (symbol, line) = declared(function), let kind = kind(of: function, line) else {
        continue
      }
      let name = unsafe String(decoding: symbol.bytes(sections), as: UTF8.self)
      if isWanted(name) { kinds[name] = kind }
    }
    return kinds
  }

  private func kind(of function: Function, _ line: UInt64?) -> SelfKind? {
    if let type = function.parameterType {
      guard let type else { return nil }
      return constants.contains(type) ? .nonmutating : .mutating
    }
    // Not a variable that the source calls `self`.
    guard let variable = function.variable, let type = variable.type, !constants.contains(type),
      variable.line == line
    else { return nil }
    return .consuming
  }

  /// A definition refers to its declaration, which has the symbol.
  private func declared(_ function: Function) -> (DwarfString, line: UInt64?)? {
    var current = function
    for _ in 0..<4 {
      if let symbol = current.symbol { return (symbol, current.line ?? function.line) }
      guard let origin = current.origin, let next = functions[origin] else { return nil }
      current = next
    }
    return nil
  }
}

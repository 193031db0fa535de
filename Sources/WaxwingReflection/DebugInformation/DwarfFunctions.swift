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
    /// Where its code begins; nil: it has none, as one that is described once for all its copies.
    let address: UInt64?
    let isDeclaration: Bool
    /// Of a declaration: the types of all that the function takes, `self` and what the compiler adds included.
    var types: [Int] = []
    var parameterType: Int??
    var variable: (type: Int?, line: UInt64?)?
  }

  /// A parameter of a function that has code.
  private struct Parameter {
    let function: Int
    let name: DwarfString?
    let origin: Int?
    let isArtificial: Bool
    let location: DwarfLocation?
  }

  private let unit: DwarfUnit
  /// What the unit's lists of addresses count from.
  private var base: UInt64 = 0
  private var functions: [Int: Function] = [:]
  private var parameters: [Parameter] = []
  /// The names of parameters of functions without code, by where these are described.
  private var names: [Int: (name: DwarfString, isArtificial: Bool)] = [:]
  private var constants: Set<Int> = []
  private let shapes: DwarfAbbreviations

  /// Reads a unit, as far as it is valid.
  init(_ unit: DwarfUnit, _ sections: DwarfSections) {
    self.unit = unit
    shapes = unsafe DwarfAbbreviations(unit, in: sections.abbreviations)
    unit.forEachEntry(shapes, sections, reading: Self.isRead) { place, entry in
      guard let entry else {
        if place.tag == DwarfEntry.Tag.constant { constants.insert(place.offset) }
        return
      }
      switch place.tag {
      case DwarfEntry.Tag.unit: base = entry.lowAddress ?? 0
      case DwarfEntry.Tag.function:
        functions[place.offset] = Function(
          symbol: entry.symbol, origin: entry.origin, line: entry.line,
          address: entry.lowAddress, isDeclaration: entry.isDeclaration)
      default:
        if place.tag == DwarfEntry.Tag.parameter { keep(entry, at: place.offset, place.parent) }
        note(entry, place.tag, place.parent, sections)
      }
    }
  }

  private static func isRead(_ tag: UInt64) -> Bool {
    switch tag {
    case DwarfEntry.Tag.unit, DwarfEntry.Tag.function, DwarfEntry.Tag.parameter,
      DwarfEntry.Tag.variable:
      true
    default: false
    }
  }

  private mutating func keep(_ parameter: DwarfEntry, at offset: Int, _ parent: Int) {
    guard let function = functions[parent] else { return }
    if function.isDeclaration {
      if let type = parameter.type { functions[parent]?.types.append(type) }
    } else if function.address == nil {
      if let name = parameter.name { names[offset] = (name, parameter.isArtificial) }
    } else {
      parameters.append(
        Parameter(
          function: parent, name: parameter.name, origin: parameter.origin,
          isArtificial: parameter.isArtificial, location: parameter.location))
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
    // In the order of the unit: the first description of a symbol counts.
    for (_, function) in functions.sorted(by: { $0.key < $1.key }) {
      guard let (symbol, line) = declared(function), let kind = kind(of: function, line) else {
        continue
      }
      let name = unsafe String(decoding: symbol.bytes(sections), as: UTF8.self)
      if isWanted(name), kinds[name] == nil { kinds[name] = kind }
    }
    return kinds
  }

  /// What is known of each function that has code, by where that begins.
  func descriptions(_ sections: DwarfSections) -> [UInt64: CodeDescription] {
    var found: [UInt64: CodeDescription] = [:]
    var actors: [Int: Bool] = [:]
    for (_, function) in functions.sorted(by: { $0.key < $1.key }) {
      guard let address = function.address, found[address] == nil else { continue }
      let line = declared(function)?.line
      let described = origin(of: function).flatMap { kind(of: $0, line) }
      var description = CodeDescription(selfKind: kind(of: function, line) ?? described)
      if let types = declaration(of: function)?.types, !types.isEmpty {
        description.takesCallerActor = types.contains { type in
          let isActor = actors[type] ?? isActor(type, sections)
          actors[type] = isActor
          return isActor
        }
      }
      found[address] = description
    }
    for parameter in parameters {
      guard let address = functions[parameter.function]?.address,
        let role = role(of: parameter, sections)
      else { continue }
      let registers =
        parameter.location?.registers(at: address, base: base, unit, sections) ?? 0
      if role == .receiver {
        found[address]?.receiver |= registers
      } else {
        found[address]?.parameters.append(registers)
      }
    }
    return found
  }

  /// Whether a type is that of a caller's actor, which the compiler adds to the parameters of functions that are
  /// `nonisolated(nonsending)`: `Builtin.ImplicitActor`, measured with Swift 6.3.1.
  private func isActor(_ type: Int, _ sections: DwarfSections) -> Bool {
    guard type >= unit.entries, type < unit.end else { return false }
    var cursor = unsafe DwarfCursor(sections.info, type..<unit.end)
    guard let shape = shapes[cursor.variable()],
      let name = DwarfEntry(shape, unit, &cursor, sections)?.name
    else { return false }
    return name.equals("$sBAD", sections)
  }

  private enum Role {
    case receiver, written
  }

  /// Nil for a parameter that the compiler has added, such as a generic type.
  private func role(of parameter: Parameter, _ sections: DwarfSections) -> Role? {
    let origin = parameter.origin.flatMap { names[$0] }
    guard let name = parameter.name ?? origin?.name else { return nil }
    if name.equals("self", sections) { return .receiver }
    let isAdded = unsafe name.bytes(sections).first == UInt8(ascii: "$")
    return isAdded || parameter.isArtificial || origin?.isArtificial == true ? nil : .written
  }

  /// What a function with code is described with, for all its copies.
  private func origin(of function: Function) -> Function? {
    function.origin.flatMap { functions[$0] }
  }

  /// The declaration of a function, in its type.
  private func declaration(of function: Function) -> Function? {
    var current: Function? = function
    for _ in 0..<4 {
      if current?.isDeclaration == true { return current }
      current = current.flatMap(origin)
    }
    return nil
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

// SPDX-License-Identifier: MIT

/// All patch points of an image, without those of the engine.
package struct PatchPointCatalog: Sendable {
  /// The patch points by qualified name, then by symbol.
  package let points: [PatchPoint]
  /// The replacement entries whose symbols could not be parsed: they exist, but cannot be named.
  package let unreadable: [String]

  /// Finds the patch points of an image.
  ///
  /// Reads `.symtab`, or `.dynsym` where the image has no other. Cost: two passes over the symbols,
  /// a parse for each patch point.
  /// - Throws: `ElfError.Code.stripped` if the image cannot name its patch points,
  ///   `ElfError.Code.noPatchPoints` if it has none.
  package init(image: ElfImage) throws(ElfError) {
    let complete = try Self.entries(of: image, in: .complete)
    let table: ElfSymbolTable = complete.isEmpty ? .dynamic : .complete
    let entries = complete.isEmpty ? try Self.entries(of: image, in: .dynamic) : complete
    guard !entries.isEmpty else {
      throw image.hasSymbols(in: .complete) ? .withoutPatchPoints : .unnamedPatchPoints
    }
    let implementations = try Self.implementations(of: entries, image: image, table: table)
    var points: [(name: String, point: PatchPoint)] = []
    var unreadable: [String] = []
    for (symbol, entry) in entries {
      guard let declaration = FunctionDeclaration(symbol: symbol) else {
        unreadable.append(symbol + "TX")
        continue
      }
      if EngineModules.contains(declaration.module) { continue }
      let pointer = implementations[symbol + "Tu"]
      let point = PatchPoint(
        symbol: symbol, entry: entry, implementation: pointer ?? implementations[symbol],
        isAsync: pointer != nil, declaration: declaration)
      points.append((declaration.qualifiedName, point))
    }
    guard !points.isEmpty || !unreadable.isEmpty else { throw .withoutPatchPoints }
    points.sort { ($0.name, $0.point.symbol) < ($1.name, $1.point.symbol) }
    self.points = points.map(\.point)
    self.unreadable = unreadable.sorted()
  }

  /// Whether an image names any replacement entry that is not the engine's own, in one pass over its
  /// symbols.
  /// - Throws: `ElfError`, as the initializer does, if it does not.
  package static func check(_ image: ElfImage) throws(ElfError) {
    for table in [ElfSymbolTable.complete, .dynamic] {
      let entries = try entries(of: image, in: table).keys
      if entries.isEmpty { continue }
      let isForeign = entries.contains { symbol in
        FunctionDeclaration(symbol: symbol).map { !EngineModules.contains($0.module) } ?? true
      }
      if isForeign { return }
      throw .withoutPatchPoints
    }
    throw image.hasSymbols(in: .complete) ? .withoutPatchPoints : .unnamedPatchPoints
  }

  /// Replacement entries by the function's symbol.
  private static func entries(
    of image: ElfImage, in table: ElfSymbolTable
  ) throws(ElfError) -> [String: UInt64] {
    var entries: [String: UInt64] = [:]
    for symbol in try image.symbols(in: table, suffix: "TX") where symbol.isDefined {
      entries[String(symbol.name.dropLast(2))] = symbol.value
    }
    return entries
  }

  /// The values of the functions that have entries, and of their async function pointers.
  private static func implementations(
    of entries: [String: UInt64], image: ElfImage, table: ElfSymbolTable
  ) throws(ElfError) -> [String: UInt64] {
    let swift = Array("$s".utf8)
    var values: [String: UInt64] = [:]
    for symbol in try image.symbols(in: table, where: { $0.starts(with: swift) })
    where symbol.isDefined {
      let isPointer = symbol.name.hasSuffix("Tu")
      let function = isPointer ? String(symbol.name.dropLast(2)) : symbol.name
      if entries[function] != nil { values[symbol.name] = symbol.value }
    }
    return values
  }
}

extension PatchPointCatalog {
  /// The patch points whose qualified names the pattern matches: with `*` or `?` the whole name,
  /// else any part of it. Where nothing matches, upper and lower case are taken for equal.
  package func points(matching pattern: String) -> [PatchPoint] {
    let plain = NamePattern(pattern)
    let exact = points.filter { plain.matches($0.declaration.qualifiedName) }
    guard exact.isEmpty else { return exact }
    let folded = NamePattern(pattern.lowercased())
    return points.filter { folded.matches($0.declaration.qualifiedName.lowercased()) }
  }
}

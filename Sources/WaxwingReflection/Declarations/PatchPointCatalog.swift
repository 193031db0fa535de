// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// All patch points of an image, without those of the engine.
package struct PatchPointCatalog: Sendable {
  /// The patch points by qualified name, then by symbol.
  package let points: [PatchPoint]
  /// The replacement entries whose symbols could not be parsed: they exist, but cannot be named.
  package let unreadable: [String]

  /// Finds the patch points of an image.
  ///
  /// Reads `.symtab`, or `.dynsym` where the image has no other.
  /// - Throws: `ElfError.Code.stripped` if the image cannot name its patch points,
  ///   `ElfError.Code.noPatchPoints` if it has none.
  package init(image: ElfImage) throws(ElfError) {
    var index = try SymbolIndex(image, .complete, base: 0)
    var entries = index.patchPoints
    if entries.isEmpty {
      index = try SymbolIndex(image, .dynamic, base: 0)
      entries = index.patchPoints
    }
    guard !entries.isEmpty else {
      throw image.hasSymbols(in: .complete) ? .withoutPatchPoints : .unnamedPatchPoints
    }
    var points: [PatchPoint] = []
    var unreadable: [String] = []
    for entry in entries {
      let symbol = entry.symbol.name
      guard let declaration = FunctionDeclaration(symbol: symbol) else {
        unreadable.append(symbol + "TX")
        continue
      }
      if EngineModules.contains(declaration.module) { continue }
      points.append(
        PatchPoint(
          symbol: symbol, entry: UInt64(entry.entry),
          implementation: entry.implementation.map { UInt64($0) }, isAsync: entry.isAsync,
          isReplacement: index.address(of: symbol + "TI") != nil, declaration: declaration))
    }
    // It keeps the names.
    withExtendedLifetime(index) {}
    guard !points.isEmpty || !unreadable.isEmpty else { throw .withoutPatchPoints }
    self.points = Self.sorted(points)
    self.unreadable = unreadable.sorted()
  }

  /// The patch points of an image; nil: it has none, and its closures or the code of its functions are what can be
  /// overridden.
  /// - Throws: `ElfError`, as the initializer does, if nothing of it can be.
  package static func ifAny(in image: ElfImage) throws(ElfError) -> PatchPointCatalog? {
    do throws(ElfError) { return try PatchPointCatalog(image: image) } catch {
      guard error.isLackOfPatchPoints else { throw error }
      _ = try means(of: image)
      return nil
    }
  }

  /// The points sorted by qualified name, then by symbol.
  static func sorted(_ points: [PatchPoint]) -> [PatchPoint] {
    points.map { (name: $0.declaration.qualifiedName, point: $0) }
      .sorted { ($0.name, $0.point.symbol) < ($1.name, $1.point.symbol) }.map(\.point)
  }

  /// By what functions of an image can be overridden: the first of these that there is.
  package enum Means: Sendable {
    case replacementEntries
    /// The pointers of async closures.
    case closurePointers
    /// Nothing but their code, if that may be rewritten.
    case code
  }

  /// Finds out by what functions of an image that are not the engine's own can be overridden, in one pass over its
  /// symbols.
  /// - Throws: `ElfError`, as the initializer does, if the image names no functions in Swift.
  package static func means(of image: ElfImage) throws(ElfError) -> Means {
    for table in [ElfSymbolTable.complete, .dynamic] {
      var found = Found()
      try unsafe image.forEachSymbol(in: table) { name, entry in
        guard !found.hasForeignEntries, entry.isDefined else { return }
        unsafe found.add(name, isFunction: entry.kind == .function)
      }
      if found.hasForeignEntries { return .replacementEntries }
      if found.hasClosures { return .closurePointers }
      if found.hasCode { return .code }
      if found.hasEntries { throw .withoutAnyPoints }
    }
    throw image.hasSymbols(in: .complete) ? .withoutAnyPoints : .unnamedPatchPoints
  }

  /// What the symbols of an image name.
  private struct Found {
    /// Replacement entries, whose symbols end in `TX`.
    var hasEntries = false
    /// Replacement entries that are not the engine's own.
    var hasForeignEntries = false
    var hasClosures = false
    /// Functions that are not the engine's own.
    var hasCode = false

    mutating func add(_ name: UnsafeRawBufferPointer, isFunction: Bool) {
      guard name.count > 4, unsafe name.starts(with: "$s".utf8) else { return }
      if isFunction, !hasCode {
        let module = SymbolModule.name(in: unsafe String(decoding: name, as: UTF8.self))
        hasCode = module.map { !EngineModules.contains($0) } ?? false
      }
      guard unsafe name[name.count - 2] == UInt8(ascii: "T") else { return }
      switch unsafe name[name.count - 1] {
      case UInt8(ascii: "X"):
        hasEntries = true
        let function = unsafe String(decoding: name.dropLast(2), as: UTF8.self)
        hasForeignEntries =
          FunctionDeclaration(symbol: function)
          .map { !EngineModules.contains($0.module) } ?? true
      case UInt8(ascii: "u") where !hasClosures:
        hasClosures = ProgramClosure.isPointer(unsafe String(decoding: name, as: UTF8.self))
      default: break
      }
    }
  }
}

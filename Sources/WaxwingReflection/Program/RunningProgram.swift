// SPDX-License-Identifier: MIT

internal import Synchronization

/// The program that this code runs in: its patch points, its types, its functions, by name.
///
/// Made once; reading the symbols of a large program takes some tens of milliseconds. Functions
/// that are not patch points are looked up in the images' files when asked for, and remembered.
package final class RunningProgram: Sendable {
  /// The program's name: the last part of its path.
  package let name: String
  /// The linker's build id of the program's own image.
  package let buildID: String?
  /// All patch points of the program and its own libraries, by qualified name.
  package let patchPoints: [RunningFunction]
  /// The types of those images by qualified name; several for private types of one name.
  package let types: [String: [TypeNode]]
  /// Replacement entries whose symbols could not be parsed.
  package let unreadable: [String]

  private let images: [RunningImage]
  private let members = Mutex<[String: [RunningFunction]]>([:])

  /// - Throws: `ElfError` if the program's own image cannot be read or has been stripped of its
  ///   symbols. A library that cannot be read counts as one without patch points.
  package init() throws(ElfError) {
    images = RunningImage.all().filter { !$0.isSystem }
    var contents = ProgramContents()
    let program = try ElfImage(path: "/proc/self/exe")
    try contents.add(program, images[0])
    for image in images.dropFirst() {
      guard let library = try? ElfImage(path: image.path) else { continue }
      try? contents.add(library, image)
    }
    name = ProgramName.current
    buildID = program.buildID
    patchPoints = contents.patchPoints.sorted {
      ($0.declaration.qualifiedName, $0.symbol) < ($1.declaration.qualifiedName, $1.symbol)
    }
    types = contents.types
    unreadable = contents.unreadable
  }

  /// All functions whose symbols start with a type's mangled name: its own members, and those of
  /// its nested types and extensions. Cost: one pass over the symbols the first time.
  package func functions(ofMangledType mangled: String) -> [RunningFunction] {
    if let known = members.withLock({ $0[mangled] }) { return known }
    let found = lookUp(prefix: "$s" + mangled)
    members.withLock { $0[mangled] = found }
    return found
  }

  private func lookUp(prefix: String) -> [RunningFunction] {
    let prefix = Array(prefix.utf8)
    var functions: [RunningFunction] = []
    for image in images {
      guard let elf = try? ElfImage(path: image.path),
        let symbols = try? elf.symbols(in: .complete, where: { $0.starts(with: prefix) })
      else { continue }
      functions += Self.functions(symbols, image)
    }
    return functions
  }

  private static func functions(_ symbols: [ElfSymbol], _ image: RunningImage) -> [RunningFunction] {
    var entries: [String: UInt] = [:]
    var pointers: Set<String> = []
    for symbol in symbols where symbol.isDefined {
      let base = String(symbol.name.dropLast(2))
      if symbol.name.hasSuffix("TX") { entries[base] = image.base &+ UInt(symbol.value) }
      if symbol.name.hasSuffix("Tu") { pointers.insert(base) }
    }
    return symbols.compactMap { symbol in
      guard symbol.isDefined, symbol.kind == .function,
        let declaration = FunctionDeclaration(symbol: symbol.name)
      else { return nil }
      return RunningFunction(
        symbol: symbol.name, address: image.base &+ UInt(symbol.value), entry: entries[symbol.name],
        isAsync: pointers.contains(symbol.name), declaration: declaration)
    }
  }
}

/// What the images of a program hold, while they are read.
private struct ProgramContents {
  var patchPoints: [RunningFunction] = []
  var types: [String: [TypeNode]] = [:]
  var unreadable: [String] = []

  mutating func add(_ elf: ElfImage, _ image: RunningImage) throws(ElfError) {
    for symbol in try elf.symbols(in: .complete, suffix: "Mn") where symbol.isDefined {
      guard symbol.name.hasPrefix("$s"),
        let type = TypeNode(mangled: String(symbol.name.dropFirst(2).dropLast(2))),
        let nominal = type.nominal, nominal.kind != .protocol
      else { continue }
      types[nominal.qualifiedName, default: []].append(type)
    }
    let catalog: PatchPointCatalog
    do {
      catalog = try PatchPointCatalog(image: elf)
    } catch where error.code == .noPatchPoints {
      return
    }
    unreadable += catalog.unreadable
    patchPoints += catalog.points.compactMap { point in
      guard let implementation = point.implementation else { return nil }
      return RunningFunction(
        symbol: point.symbol, address: image.base &+ UInt(implementation),
        entry: image.base &+ UInt(point.entry), isAsync: point.isAsync,
        declaration: point.declaration)
    }
  }
}

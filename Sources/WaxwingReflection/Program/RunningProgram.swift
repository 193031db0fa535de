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
  package let types: [String: [RunningType]]
  /// Replacement entries whose symbols could not be parsed.
  package let unreadable: [String]

  private let patchPointsByOwner: [String: [RunningFunction]]
  private let images: [RunningImage]
  private let typesByDescriptor: [UInt: RunningType]
  private let descriptors: [NominalType: UInt]
  private let knownMembers = Mutex<[RunningType: [RunningFunction]]>([:])

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
    patchPointsByOwner = Dictionary(grouping: patchPoints) { Self.owner(of: $0.declaration) }
    types = Dictionary(grouping: contents.types, by: \.name)
    typesByDescriptor = Dictionary(
      contents.types.map { ($0.descriptor, $0) }, uniquingKeysWith: { first, _ in first })
    descriptors = Dictionary(
      contents.types.map { ($0.nominal, $0.descriptor) }, uniquingKeysWith: { first, _ in first })
    unreadable = contents.unreadable
  }

  /// A type's name, or a module's behind a word that no name has.
  private static func owner(of declaration: FunctionDeclaration) -> String {
    declaration.typeName ?? "module \(declaration.module)"
  }

  /// The patch points that are members of the type, its extensions' too, by qualified name.
  package func patchPoints(of type: RunningType) -> [RunningFunction] {
    (patchPointsByOwner[type.name] ?? []).filter {
      $0.declaration.context.memberOf?.unbound == type.nominal
    }
  }

  /// The patch points that are free functions, or globals' accessors, of a module.
  package func patchPoints(inModule name: String) -> [RunningFunction] {
    patchPointsByOwner["module \(name)"] ?? []
  }

  /// The type with this context descriptor, if it is the program's own.
  package func type(withDescriptor address: UInt) -> RunningType? { typesByDescriptor[address] }

  /// The runtime's metadata for a type; nil for one with generic parameters in it, or that is not
  /// in this process.
  package func runtimeType(_ node: TypeNode) -> (any Any.Type)? {
    if let type = _typeByName(node.mangled) { return type }
    // The runtime does not find types that are private to a file by name, only by reference.
    let encoded = node.encoded { nominal in
      nominal.isHidden ? descriptors[nominal.unbound] : nil
    }
    // Kept for good: the runtime may hold on to the name of a type that it has found.
    let name = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoded.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    name.copyBytes(from: encoded.bytes)
    return name.baseAddress.flatMap {
      _getTypeByMangledNameInContext(
        $0.assumingMemoryBound(to: UInt8.self), UInt(encoded.nameLength), genericContext: nil,
        genericArguments: nil)
    }
  }

  /// All functions that are members of the type, of its extensions too, patch points or not.
  /// Cost: one pass over the symbols the first time.
  package func members(of type: RunningType) -> [RunningFunction] {
    if let known = knownMembers.withLock({ $0[type] }) { return known }
    let found = lookUp(prefix: type.symbol).filter {
      $0.declaration.context.memberOf?.unbound == type.nominal
    }
    knownMembers.withLock { $0[type] = found }
    return found
  }

  /// The functions whose symbols start with `prefix`, patch points or not, and what belongs to them.
  /// Cost: one pass over the symbols.
  package func functions(symbolPrefix prefix: String) -> [RunningFunction] {
    lookUp(prefix: prefix)
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

  private static func functions(_ symbols: [ElfSymbol], _ image: RunningImage) -> [RunningFunction]
  {
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
  var types: [RunningType] = []
  var unreadable: [String] = []

  mutating func add(_ elf: ElfImage, _ image: RunningImage) throws(ElfError) {
    for symbol in try elf.symbols(in: .complete, suffix: "Mn") where symbol.isDefined {
      let type = RunningType(
        descriptorSymbol: symbol.name, descriptor: image.base &+ UInt(symbol.value))
      if let type { types.append(type) }
    }
    let catalog: PatchPointCatalog
    do {
      catalog = try PatchPointCatalog(image: elf)
    } catch  where error.code == .noPatchPoints {
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

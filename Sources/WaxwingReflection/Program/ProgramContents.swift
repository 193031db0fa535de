// SPDX-License-Identifier: MIT

/// What the program's own images hold: all that are loaded but those of the system and of Swift.
struct ProgramContents: Sendable {
  private(set) var images: [RunningImage]
  /// How many images had ever been loaded when this was made.
  private(set) var imagesAdded: UInt64
  /// By qualified name.
  private(set) var patchPoints: [RunningFunction] = []
  private(set) var patchPointsByOwner: [String: [RunningFunction]] = [:]
  /// By qualified name; several for private types of one name.
  private(set) var types: [String: [RunningType]] = [:]
  private(set) var typesByDescriptor: [UInt: RunningType] = [:]
  private(set) var descriptors: [NominalType: UInt] = [:]
  /// The types that patch points are members of, but that the images do not have: those of libraries,
  /// protocols, and those whose descriptors the optimiser has dropped. By qualified name.
  private(set) var foreignOwners: [String: [NominalType]] = [:]
  /// Replacement entries whose symbols could not be parsed.
  private(set) var unreadable: [String] = []
  /// Those whose functions the images do not name.
  private(set) var codeless: [PatchPoint] = []
  private let facts: FactsCatalog

  /// - Parameters:
  ///   - program: The program's own image, which is the first of `images`.
  ///   - images: Those that cannot be read count as having nothing.
  init(
    _ program: ElfImage, _ images: [RunningImage], _ facts: FactsCatalog
  ) throws(ElfError) {
    self.facts = facts
    self.images = images
    imagesAdded = RunningImage.countAdded
    try add(program, images[0])
    addLibraries(images.dropFirst())
    sort()
  }

  /// The same with further images.
  init(_ known: ProgramContents, adding images: [RunningImage], _ imagesAdded: UInt64) {
    self = known
    self.images += images
    self.imagesAdded = imagesAdded
    if images.isEmpty { return }
    addLibraries(images[...])
    sort()
  }

  private mutating func addLibraries(_ images: ArraySlice<RunningImage>) {
    for image in images {
      guard let library = try? ElfImage(path: image.path) else { continue }
      try? add(library, image)
    }
  }

  private mutating func add(_ elf: ElfImage, _ image: RunningImage) throws(ElfError) {
    for symbol in try elf.symbols(in: .complete, suffix: "Mn") where symbol.isDefined {
      let type = RunningType(
        descriptorSymbol: symbol.name, descriptor: image.base &+ UInt(symbol.value))
      if let type { add(type) }
    }
    let catalog: PatchPointCatalog
    do {
      catalog = try PatchPointCatalog(image: elf)
    } catch  where error.code == .noPatchPoints {
      return
    }
    unreadable += catalog.unreadable
    codeless += catalog.points.filter { $0.implementation == nil }
    let facts = facts[image]
    patchPoints += catalog.points.compactMap { point in
      guard let implementation = point.implementation else { return nil }
      return RunningFunction(
        symbol: point.symbol, address: image.base &+ UInt(implementation),
        entry: image.base &+ UInt(point.entry), isAsync: point.isAsync,
        isRemoved: false, declaration: point.declaration, facts: facts)
    }
  }

  private mutating func add(_ type: RunningType) {
    types[type.name, default: []].append(type)
    if typesByDescriptor[type.descriptor] == nil { typesByDescriptor[type.descriptor] = type }
    if descriptors[type.nominal] == nil { descriptors[type.nominal] = type.descriptor }
  }

  private mutating func sort() {
    patchPoints.sort {
      ($0.declaration.qualifiedName, $0.symbol) < ($1.declaration.qualifiedName, $1.symbol)
    }
    patchPointsByOwner = Dictionary(grouping: patchPoints) { Self.owner(of: $0.declaration) }
    let owners = Set(patchPoints.compactMap { $0.declaration.context.memberOf?.unbound })
    foreignOwners = Dictionary(
      grouping: owners.filter { descriptors[$0] == nil }, by: \.qualifiedName)
  }

  /// A type's name, or a module's behind a word that no name has.
  private static func owner(of declaration: FunctionDeclaration) -> String {
    declaration.typeName ?? "module \(declaration.module)"
  }
}

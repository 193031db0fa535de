// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// The contents of the program's own images: all that are loaded except those of the system and of
/// Swift. Their symbols are there at once; their meaning is found when it is asked for.
final class ProgramContents: Sendable {
  let images: [RunningImage]
  /// How many images had ever been loaded when this was made.
  let imagesAdded: UInt64
  /// Whether the program's own image has types or patch points.
  let programHasSwift: Bool
  /// The patch points of the images that have any.
  private let points: [ImagePoints]
  /// The symbols of types.
  private let typeSymbols: [SymbolIndex.Symbol]
  private let known = Mutex(Known())

  private struct Known {
    var types: OwnTypes?
    var allPoints: AllPoints?
    var modules: Set<String>?
    var foreignOwners: [String: [NominalType]]?
    var pointsByType: [NominalType: FunctionsByName] = [:]
    var pointsByModule: [String: FunctionsByName] = [:]
  }

  /// - Parameters:
  ///   - program: The program's own image, which is the first of `images`, and its symbols.
  ///   - images: Those that cannot be read count as having nothing.
  init(
    _ program: ElfImage, _ images: [LoadedImage], _ facts: FactsCatalog
  ) throws(ElfError) {
    self.images = images.map(\.image)
    imagesAdded = RunningImage.countAdded
    var found = FoundSymbols(facts)
    try found.add(program, images[0])
    programHasSwift = !found.points.isEmpty || !found.types.isEmpty
    found.addLibraries(images.dropFirst())
    (points, typeSymbols) = (found.points, found.types)
  }

  /// Creates the contents with further images.
  init(
    _ known: ProgramContents, adding images: [LoadedImage], _ imagesAdded: UInt64,
    _ facts: FactsCatalog
  ) {
    self.images = known.images + images.map(\.image)
    self.imagesAdded = imagesAdded
    programHasSwift = known.programHasSwift
    var found = FoundSymbols(facts)
    found.addLibraries(images[...])
    points = known.points + found.points
    typeSymbols = known.typeSymbols + found.types
  }

  /// A value that is computed once and remembered. Two threads may compute it at once.
  private func remembered<Value: Sendable>(
    _ path: any (WritableKeyPath<Known, Value?> & Sendable), _ make: () -> Value
  ) -> Value {
    if let value = known.withLock({ $0[keyPath: path] }) { return value }
    let value = make()
    known.withLock { $0[keyPath: path] = value }
    return value
  }
}

// MARK: - Patch points

extension ProgramContents {
  /// All patch points, with their names demangled.
  struct AllPoints: Sendable {
    /// The functions by qualified name, then by symbol.
    var functions: [RunningFunction] = []
    /// Replacement entries whose symbols could not be parsed.
    var unreadable: [String] = []
    /// The points whose functions the images do not name.
    var codeless: [PatchPoint] = []
  }

  var allPoints: AllPoints {
    remembered(\.allPoints) {
      var all = AllPoints()
      for image in points {
        var unreadable: [String] = []
        var codeless: [PatchPoint] = []
        for place in image.symbols.indices {
          switch image[place] {
          case .function(let function): all.functions.append(function)
          case .codeless(let point): codeless.append(point)
          case .unreadable: unreadable.append(image.symbols[place].symbol.name + "TX")
          case .engines: break
          }
        }
        all.unreadable += unreadable.sorted()
        all.codeless += PatchPointCatalog.sorted(codeless)
      }
      all.functions = FunctionsByName.sorted(all.functions)
      return all
    }
  }

  func patchPoint(symbol: String) -> RunningFunction? {
    for image in points {
      if let place = image.place(of: symbol), let point = image.function(place) { return point }
    }
    return nil
  }

  /// The patch points that are members of the type, its extensions' too.
  func patchPoints(of type: RunningType) -> FunctionsByName {
    if let known = known.withLock({ $0.pointsByType[type.nominal] }) { return known }
    let found = FunctionsByName(
      points, prefixes: type.memberPrefixes, isMember: true, isLocal: type.isLocal
    ) { $0.context.memberOf?.unbound == type.nominal }
    known.withLock { $0.pointsByType[type.nominal] = found }
    return found
  }

  /// The patch points that are free functions, or globals' accessors, of a module.
  func patchPoints(inModule name: String) -> FunctionsByName {
    if let known = known.withLock({ $0.pointsByModule[name] }) { return known }
    let found = FunctionsByName(
      points, prefixes: [RunningProgram.modulePrefix(of: name)], isMember: false
    ) { $0.context.memberOf == nil && $0.module == name }
    // There is no end to the names of modules that are not there.
    if !found.isEmpty { known.withLock { $0.pointsByModule[name] = found } }
    return found
  }

  /// The modules that have patch points.
  var patchedModules: Set<String> {
    remembered(\.modules) {
      var modules: Set<String> = []
      forEachPoint { outline, function in
        if let outline {
          if !EngineModules.contains(outline.module) { modules.insert(outline.module) }
        } else if let function {
          modules.insert(function.declaration.module)
        }
      }
      return modules
    }
  }

  /// The types that patch points are members of, but that the images do not have: those of libraries,
  /// protocols, and those whose descriptors the optimiser has dropped. By qualified name.
  var foreignOwners: [String: [NominalType]] {
    remembered(\.foreignOwners) {
      let descriptors = descriptors
      let own = Set(types.values.joined().map(\.symbol))
      var owners: Set<NominalType> = []
      var previous = ""
      for image in points {
        for place in image.symbols.indices where image.symbols[place].implementation != nil {
          let bytes = unsafe image.symbols[place].symbol.bytes
          if let outline = unsafe SymbolOutline(bytes) {
            let spelled = unsafe String(
              decoding: bytes.prefix(outline.ownerLength), as: UTF8.self)
            if !outline.isMember || spelled == previous || own.contains(spelled) { continue }
            previous = spelled
          }
          guard let function = image.function(place),
            let owner = function.declaration.context.memberOf?.unbound,
            descriptors[owner] == nil
          else { continue }
          owners.insert(owner)
        }
      }
      return Dictionary(grouping: owners, by: \.qualifiedName)
    }
  }

  /// - Parameter body: Gets the outline of each function, or else the function.
  private func forEachPoint(_ body: (SymbolOutline?, RunningFunction?) -> Void) {
    for image in points {
      for place in image.symbols.indices where image.symbols[place].implementation != nil {
        if let outline = unsafe SymbolOutline(image.symbols[place].symbol.bytes) {
          body(outline, nil)
        } else {
          body(nil, image.function(place))
        }
      }
    }
  }
}

// MARK: - Types

extension ProgramContents {
  /// The types that the images have.
  struct OwnTypes: Sendable {
    /// The types by qualified name; several for private types of one name.
    var byName: [String: [RunningType]] = [:]
    var byDescriptor: [UInt: RunningType] = [:]
    var descriptors: [NominalType: UInt] = [:]
    /// The modules that they are in.
    var modules: Set<String> = []

    mutating func add(_ type: RunningType) {
      byName[type.name, default: []].append(type)
      if byDescriptor[type.descriptor] == nil { byDescriptor[type.descriptor] = type }
      if descriptors[type.nominal] == nil { descriptors[type.nominal] = type.descriptor }
    }
  }

  private var ownTypes: OwnTypes {
    remembered(\.types) {
      var types = OwnTypes()
      for symbol in typeSymbols {
        let type = RunningType(descriptorSymbol: symbol.name, descriptor: symbol.address)
        if let type { types.add(type) }
      }
      types.modules = Set(types.byName.values.compactMap { $0.first?.nominal.rootModule })
      return types
    }
  }

  var types: [String: [RunningType]] { ownTypes.byName }
  var typesByDescriptor: [UInt: RunningType] { ownTypes.byDescriptor }
  var descriptors: [NominalType: UInt] { ownTypes.descriptors }

  /// The modules that have types or patch points.
  var modules: Set<String> { patchedModules.union(ownTypes.modules) }
}

/// The patch points and types that images' symbols tell.
private struct FoundSymbols {
  private let facts: FactsCatalog
  private(set) var points: [ImagePoints] = []
  private(set) var types: [SymbolIndex.Symbol] = []

  init(_ facts: FactsCatalog) {
    self.facts = facts
  }

  mutating func addLibraries(_ images: ArraySlice<LoadedImage>) {
    for image in images {
      guard let library = try? ElfImage(symbolsOf: image.image.path) else { continue }
      try? add(library, image)
    }
  }

  /// - Throws: `ElfError.Code.stripped` if the image cannot name its patch points.
  mutating func add(_ elf: ElfImage, _ image: LoadedImage) throws(ElfError) {
    let base = image.image.base
    let complete = try SymbolIndex(elf, .complete, base: base)
    if elf.hasSymbols(in: .complete) {
      image.use(complete)
      LibraryEvolution.add(complete, base: base)
    }
    types += complete.symbols(suffix: "Mn")
    var found = ImagePoints(complete, facts[image.image])
    if found.symbols.isEmpty {
      found = ImagePoints(try SymbolIndex(elf, .dynamic, base: base), facts[image.image])
    }
    if !found.symbols.isEmpty {
      points.append(found)
    } else if !elf.hasSymbols(in: .complete) {
      throw .unnamedPatchPoints
    }
  }
}

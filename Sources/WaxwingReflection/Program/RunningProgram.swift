// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import Synchronization

/// The program that this code runs in: its patch points, its types, its functions, by name.
///
/// Made once; reading the symbols of a large program takes some tens of milliseconds. That reads
/// the program's own images, which alone have patch points. Everything else, and the libraries of
/// the system and of Swift, is looked up when it is asked for, and remembered.
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
  private let typesByDescriptor: [UInt: RunningType]
  private let descriptors: [NominalType: UInt]
  /// The program's own images, as they were when this was made.
  private let ownImages: Set<RunningImage>
  private let catalog = ImageCatalog()
  let cache = Mutex(ProgramCache())

  /// - Throws: `ElfError` if the program's own image cannot be read or has been stripped of its
  ///   symbols. A library that cannot be read counts as one without patch points.
  package init() throws(ElfError) {
    let images = RunningImage.all().filter { !$0.isSystem }
    ownImages = Set(images)
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

  /// The runtime's metadata for a type; nil for one with generic parameters in it, or that is not
  /// in this process.
  package func runtimeType(_ node: TypeNode) -> (any Any.Type)? {
    if let type = _typeByName(node.mangled) { return type }
    if let known = cache.withLock({ $0.unnamedTypes[node] }) { return known }
    let type = unnamedType(node)
    cache.withLock { $0.unnamedTypes[node] = .some(type) }
    return type
  }

  /// The runtime does not find types that are private to a file by name, only by reference.
  private func unnamedType(_ node: TypeNode) -> (any Any.Type)? {
    let encoded = node.encoded { nominal in
      nominal.isHidden ? descriptors[nominal.unbound] : nil
    }
    let name = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoded.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    name.copyBytes(from: encoded.bytes)
    let type = name.baseAddress.flatMap {
      _getTypeByMangledNameInContext(
        $0.assumingMemoryBound(to: UInt8.self), UInt(encoded.nameLength), genericContext: nil,
        genericArguments: nil)
    }
    // Else kept for good: the runtime may hold on to the name of a type that it has found.
    if type == nil { name.deallocate() }
    return type
  }
}

// MARK: - Images

extension RunningProgram {
  /// All images, the program's own first.
  var images: [LoadedImage] { catalog.images }

  /// The images whose types were not read at the start: those of the system, and what the program
  /// has loaded since.
  var libraries: [LoadedImage] { images.filter { !ownImages.contains($0.image) } }

  /// The type with this context descriptor; nil if no symbol names it.
  package func type(withDescriptor address: UInt) -> RunningType? {
    if let type = typesByDescriptor[address] { return type }
    return cache.withLock { cache in
      if let known = cache.typesByDescriptor[address] { return known }
      let type = waxwing_symbol_at(UnsafeRawPointer(bitPattern: address)).flatMap {
        RunningType(descriptorSymbol: String(cString: $0), descriptor: address)
      }
      cache.typesByDescriptor[address] = .some(type)
      return type
    }
  }

  /// Whether the program's own images, as they were at the start, have the type.
  package func isOwn(_ type: RunningType) -> Bool { typesByDescriptor[type.descriptor] == type }

  /// Whether what is private in the type's image can be found too.
  package func hasAllSymbols(of type: RunningType) -> Bool {
    if isOwn(type) { return true }
    return image(at: type.descriptor)?.symbols.isComplete == true
  }

  /// Whether the type is part of the system's or Swift's own libraries.
  package func isSystem(_ type: RunningType) -> Bool {
    !isOwn(type) && image(at: type.descriptor)?.image.isSystem == true
  }

  /// The image that has the code or data at `address`.
  func image(at address: UInt) -> LoadedImage? {
    var base: UInt = 0
    guard waxwing_image_base(address, &base) else { return nil }
    return images.first { $0.image.base == base }
  }

  /// The address of the symbol of this name in whatever image has it.
  package func address(ofSymbol name: String) -> UInt? {
    for image in images {
      if let address = image.symbols.address(of: name) { return address }
    }
    return nil
  }

  /// Loads a library of Swift's that stands beside the standard library, such as `Foundation`,
  /// unless it is loaded. False: there is none of this name.
  package func load(module name: String) -> Bool {
    guard name.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }),
      let path = Self.libraryPath(name)
    else { return false }
    return waxwing_image_load(path)
  }

  /// Whether the library of this name, loaded or not, has the type. It is read for this.
  package func library(_ name: String, hasType path: String) -> Bool {
    guard let file = Self.libraryPath(name), let image = try? ElfImage(path: file),
      let symbols = try? image.symbols(in: .dynamic, suffix: "Mn")
    else { return false }
    return symbols.contains { symbol in
      symbol.isDefined && RunningType(descriptorSymbol: symbol.name, descriptor: 0)?.path == path
    }
  }

  private static func libraryPath(_ name: String) -> String? {
    waxwing_image_path(unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self)).map { core in
      let folder = String(cString: core).split(
        separator: "/", omittingEmptySubsequences: false
      ).dropLast().joined(separator: "/")
      return "\(folder)/lib\(name).so"
    }
  }
}

/// What has been looked up.
struct ProgramCache {
  /// nil: no symbol names it.
  var typesByDescriptor: [UInt: RunningType?] = [:]
  /// Of types that the runtime does not find by name; nil: nor otherwise.
  var unnamedTypes: [TypeNode: (any Any.Type)?] = [:]
  var members: [RunningType: Known<[RunningFunction]>] = [:]
  var protocolMembers: [String: Known<[ProtocolMembers]>] = [:]
  var libraryTypes: Known<LibraryTypes>?

  /// Something that holds until more images are loaded.
  struct Known<Value> {
    let imageCount: Int
    let value: Value
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
        isRemoved: false, declaration: point.declaration)
    }
  }
}

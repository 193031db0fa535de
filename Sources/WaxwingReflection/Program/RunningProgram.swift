// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization
package import WaxwingDeclarations

/// The program that this code runs in: its patch points, its types, its functions, by name.
///
/// Made once; reading the symbols of a large program takes some tens of milliseconds. That reads
/// the program's own images, which alone have patch points; `refresh` reads those that it has loaded
/// since. Everything else, and the libraries of the system and of Swift, is looked up when it is asked
/// for, and remembered.
package final class RunningProgram: Sendable {
  /// The program's name: the last part of its path.
  package let name: String
  /// The linker's build id of the program's own image.
  package let buildID: String?

  private let contents: Mutex<ProgramContents>
  private let catalog = ImageCatalog()
  let cache = Mutex(ProgramCache())
  let facts: FactsCatalog

  /// - Parameter facts: How to read what was written down about an image where it was built.
  /// - Throws: `ElfError` if the program's own image cannot be read or has been stripped of its
  ///   symbols. A library that cannot be read counts as one without patch points.
  package init(facts read: @escaping FactsReader = { _, _ in nil }) throws(ElfError) {
    facts = FactsCatalog(read)
    let program = try ElfImage(symbolsOf: "/proc/self/exe")
    name = ProgramName.current
    buildID = program.buildID
    contents = Mutex(
      try ProgramContents(program, catalog.images.filter { !$0.image.isSystem }, facts))
  }

  /// The contents of the program's own images.
  var own: ProgramContents { contents.withLock { $0 } }

  /// All patch points of the program and its own libraries, by qualified name.
  package var patchPoints: [RunningFunction] { own.allPoints.functions }
  /// The types of those images by qualified name; several for private types of one name.
  package var types: [String: [RunningType]] { own.types }
  /// Replacement entries whose symbols could not be parsed.
  package var unreadable: [String] { own.allPoints.unreadable }

  /// Patch points whose functions the images do not name.
  package var codelessPoints: [PatchPoint] { own.allPoints.codeless }

  /// The patch point of this symbol.
  package func patchPoint(symbol: String) -> RunningFunction? { own.patchPoint(symbol: symbol) }

  /// The modules of the program's own images that have patch points.
  package var patchedModules: Set<String> { own.patchedModules }

  /// The modules of those images that have patch points or types.
  package var ownModules: Set<String> { own.modules }

  /// Types of this name, with or without their module, that have patch points but are not among
  /// `types`: protocols, types of libraries, and those whose descriptors the optimiser has dropped.
  package func foreignOwners(named name: String) -> [RunningType] {
    let owners = own.foreignOwners
    let found =
      owners[name] ?? owners.filter { $0.key.hasSuffix("." + name) }.flatMap(\.value)
    return found.map(owner)
  }

  /// The owner of foreign members that has this type; nil if there is none.
  package func foreignOwner(_ nominal: NominalType) -> RunningType? {
    own.foreignOwners.values.joined().first { $0 == nominal }.map(owner)
  }

  private func owner(_ nominal: NominalType) -> RunningType {
    if nominal.kind == .protocol, let known = protocols.first(where: { $0.nominal == nominal }) {
      return RunningType(known)
    }
    let known = loadedTypes.types(path: RunningType(undescribed: nominal).path)
    return known.first { $0.nominal == nominal } ?? RunningType(undescribed: nominal)
  }

  /// Reads the images that the program has loaded since the last time.
  package func refresh() {
    let count = RunningImage.countAdded
    let old = own
    guard old.imagesAdded != count else { return }
    let known = Set(old.images)
    let new = catalog.images.filter { !$0.image.isSystem && !known.contains($0.image) }
    let made = ProgramContents(old, adding: new, count, facts)
    contents.withLock { contents in
      // Another thread may have been faster.
      if contents.imagesAdded < made.imagesAdded { contents = made }
    }
  }

  /// The patch points that are members of the type, its extensions' too, by qualified name.
  package func patchPoints(of type: RunningType) -> FunctionsByName {
    own.patchPoints(of: type)
  }

  /// The patch points that are free functions, or globals' accessors, of a module.
  package func patchPoints(inModule name: String) -> FunctionsByName {
    own.patchPoints(inModule: name)
  }

  /// The closures in functions of a module that are no members of a type.
  package func closures(inFunctionsOf module: String) -> [ProgramClosure] {
    closures(of: module).filter { $0.declaration.function.contextType == nil }
  }

  /// The closures in members of a type.
  package func closures(inMembersOf type: RunningType, areStatic: Bool) -> [ProgramClosure] {
    let nominal = type.nominal.unbound
    return closures(of: nominal.qualifiedName).filter {
      let function = $0.declaration.function
      return function.isStatic == areStatic && function.context.memberOf?.unbound == nominal
    }
  }

  /// Reads the names of all closures, unless that was done before.
  package func readClosures() {
    for image in images where !image.image.isSystem { _ = image.closuresByOwner }
  }

  private func closures(of owner: String) -> [ProgramClosure] {
    images.filter { !$0.image.isSystem }.flatMap { $0.closuresByOwner[owner] ?? [] }
  }

  /// The closures of the program and its own libraries. The first time it reads the names of all of them, and
  /// remembers them.
  package var closures: [ProgramClosure] {
    images.filter { !$0.image.isSystem }.flatMap(\.closures)
  }

  /// The places in the program's code that may refer to a pointer, or to code, of a closure: the last four of
  /// an instruction's bytes. The first time it reads all code of the image.
  package func closureReferences(to address: UInt) -> [UInt] {
    image(at: address)?.closureReferences[address] ?? []
  }

  /// The runtime's metadata for a type; nil for one with generic parameters in it, or that is not
  /// in this process.
  package func runtimeType(_ node: TypeNode) -> (any Any.Type)? {
    if let known = cache.withLock({ $0.types[node] }) { return known }
    // What the runtime does not find now it may find when another image has told it of its types.
    let count = RegisteredImages.count
    if node.hasBlock || node.hasPackExpansion { return nil }
    let lifted = node.liftingConstrainedExistentials(depth: 0)
    let named = lifted == nil ? _typeByName(node.mangled) : nil
    if named == nil, cache.withLock({ $0.isUnknown(node, count) }) { return nil }
    let type = named ?? lifted.map(constrainedType) ?? unnamedType(node) ?? describedType(node)
    cache.withLock { cache in
      if let type { cache.types[node] = type } else { cache.rememberUnknown(node, count) }
    }
    return type
  }

  /// A type that is `any P<X>` or contains such a type: the runtime makes types from it if it gets
  /// the metadata in the place of a generic parameter.
  private func constrainedType(_ type: TypeNode, _ lifted: [TypeNode]) -> (any Any.Type)? {
    var made: [any Any.Type] = []
    for existential in lifted {
      guard let found = constrainedExistential(existential, runtimeType) else { return nil }
      made.append(found)
    }
    if case .genericParameter = type { return made[0] }
    return unnamedType(type, made)
  }

  /// The runtime does not find types that are private to a file by name, only by reference. Of those
  /// that metadata refers to the descriptor is known, and no name.
  /// - Parameter arguments: What the generic parameters in the type stand for.
  private func unnamedType(_ node: TypeNode, _ arguments: [any Any.Type] = []) -> (any Any.Type)? {
    let descriptors = own.descriptors
    let encoded = node.encoded { nominal in
      nominal.descriptorAddress ?? (nominal.isHidden ? descriptors[nominal.unbound] : nil)
    }
    let name = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoded.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    unsafe name.copyBytes(from: encoded.bytes)
    let context = unsafe arguments.isEmpty ? nil : MadeUpContext.descriptor([arguments.count])
    let words = unsafe arguments.map {
      unsafe Optional(unsafeBitCast($0, to: UnsafeRawPointer.self))
    }
    let type = unsafe words.withUnsafeBufferPointer { words in
      unsafe name.baseAddress.flatMap {
        unsafe _getTypeByMangledNameInContext(
          $0.assumingMemoryBound(to: UInt8.self), UInt(encoded.nameLength), genericContext: context,
          genericArguments: context == nil ? nil : UnsafeRawPointer(words.baseAddress))
      }
    }
    // Else kept for good: the runtime may hold on to the name of a type that it has found.
    if type == nil { unsafe name.deallocate() }
    return type
  }

  /// A struct of which the program has no metadata and which it describes, or a type that mentions such structs.
  private func describedType(_ node: TypeNode) -> (any Any.Type)? {
    if let type = node.nominal.flatMap(describedStruct) { return type }
    guard !node.isDependent, let described = DescribedParts(node, depth: 0, in: self) else {
      return nil
    }
    return type(described.node, arguments: described.types)
  }

  /// A struct of which the program has no metadata and which it describes.
  func describedStruct(_ nominal: NominalType) -> (any Any.Type)? {
    guard nominal.kind == .struct,
      let descriptor = nominal.descriptorAddress ?? own.descriptors[nominal]
    else { return nil }
    // Of a struct that is laid out otherwise than its properties are, such as by `@_alignment`, the compiler writes
    // down the size.
    if let known = own.typesByDescriptor[descriptor],
      address(ofSymbol: known.symbol + "MB") != nil
    {
      return nil
    }
    return DescribedStructs.type(descriptor: descriptor)
  }

  /// The runtime's metadata for a type that mentions parameters of one level.
  private func type(_ node: TypeNode, arguments: [any Any.Type]) -> (any Any.Type)? {
    let descriptors = own.descriptors
    let encoded = node.encoded { nominal in
      nominal.descriptorAddress ?? (nominal.isHidden ? descriptors[nominal.unbound] : nil)
    }
    // Kept for good: the runtime may hold on to the name of a type that it has found.
    let name = UnsafeMutableRawBufferPointer.allocate(
      byteCount: encoded.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    unsafe name.copyBytes(from: encoded.bytes)
    guard let start = name.baseAddress else { return nil }
    let pointers = unsafe arguments.map { type in
      unsafe Optional(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }
    return unsafe pointers.withUnsafeBufferPointer { pointers in
      unsafe _getTypeByMangledNameInContext(
        start.assumingMemoryBound(to: UInt8.self), UInt(encoded.nameLength),
        genericContext: MadeUpContext.descriptor([pointers.count]),
        genericArguments: UnsafeRawPointer(pointers.baseAddress))
    }
  }
}

// MARK: - Images

extension RunningProgram {
  /// All images, the program's own first.
  var images: [LoadedImage] { catalog.images }

  /// The images whose types are not read at once: those of the system, and what the program has loaded
  /// since the last `refresh`.
  var libraries: [LoadedImage] {
    let own = Set(own.images)
    return images.filter { !own.contains($0.image) }
  }

  /// The type with this context descriptor; nil if no symbol names it.
  package func type(withDescriptor address: UInt) -> RunningType? {
    if let type = own.typesByDescriptor[address] { return type }
    return cache.withLock { cache in
      if let known = cache.typesByDescriptor[address] { return known }
      let type = unsafe wax_process_symbol_at(UnsafeRawPointer(bitPattern: address)).flatMap {
        unsafe RunningType(descriptorSymbol: String(cString: $0), descriptor: address)
      }
      cache.typesByDescriptor[address] = .some(type)
      return type
    }
  }

  /// Whether the program's own images have the type.
  package func isOwn(_ type: RunningType) -> Bool { own.typesByDescriptor[type.descriptor] == type }

  /// Whether private declarations in the type's image can be found, too.
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
    guard unsafe wax_process_image_base(address, &base) else { return nil }
    return images.first { $0.image.base == base }
  }

  /// Whether an image has code or data at `address`.
  package func hasImage(at address: UInt) -> Bool {
    var base: UInt = 0
    return unsafe wax_process_image_base(address, &base)
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
    return unsafe wax_process_image_load(path)
  }

  /// Whether the library of this name, loaded or not, has the type. It is read for this.
  package func library(_ name: String, hasType path: String) -> Bool {
    guard let file = Self.libraryPath(name), let image = try? ElfImage(symbolsOf: file),
      let symbols = try? image.symbols(in: .dynamic, suffix: "Mn")
    else { return false }
    return symbols.contains { symbol in
      symbol.isDefined && RunningType(descriptorSymbol: symbol.name, descriptor: 0)?.path == path
    }
  }

  private static func libraryPath(_ name: String) -> String? {
    unsafe wax_process_image_path(unsafeBitCast(Int.self as Any.Type, to: UnsafeRawPointer.self))
      .map {
        core in
        let folder = unsafe String(cString: core).split(
          separator: "/", omittingEmptySubsequences: false
        ).dropLast().joined(separator: "/")
        return "\(folder)/lib\(name).so"
      }
  }
}

/// The results of searches.
struct ProgramCache {
  /// The types by their descriptors; nil for a descriptor that no symbol names.
  var typesByDescriptor: [UInt: RunningType?] = [:]
  var types: [TypeNode: any Any.Type] = [:]
  /// The types that the runtime does not find, even by name. It may find them when more images are
  /// registered.
  private var unknownTypes = Known<Set<TypeNode>>(imageCount: 0, value: [])
  var members: [RunningType: Known<[RunningFunction]>] = [:]
  private var protocolMembers: [String: Known<[ProtocolMembers]>] = [:]
  /// Names that no extension of a protocol has. There is no end to them, so their number is
  /// limited.
  private var protocolMisses = Known<Set<String>>(imageCount: 0, value: [])
  var functionNames: [String: Known<Set<String>>] = [:]
  /// The modules with replacement entries, and whether the compiler gave them to all functions.
  var dynamicModules: [String: Known<Bool>] = [:]
  var protocolSymbols: Known<[ProtocolSymbols]>?
  var loadedTypes: Known<LoadedTypes>?
  /// The existential shapes in the images.
  var existentialShapes: Known<[ExistentialShapeKey: ExistentialShape]>?
  /// The existential shapes of types that no image had when they were asked for: they stay in use.
  var madeShapes: [ExistentialShapeKey: ExistentialShape] = [:]

  /// A value that holds until more images are loaded.
  struct Known<Value> {
    var imageCount: Int
    var value: Value
  }

  private static let mostMisses = 4096
  /// The length in bytes of the longest name that is remembered as missing; longer names are
  /// searched each time.
  private static let longestMiss = 256

  /// Whether the type was not found when as many images were registered.
  func isUnknown(_ type: TypeNode, _ imageCount: Int) -> Bool {
    unknownTypes.imageCount == imageCount && unknownTypes.value.contains(type)
  }

  mutating func rememberUnknown(_ type: TypeNode, _ imageCount: Int) {
    if unknownTypes.imageCount != imageCount {
      unknownTypes = Known(imageCount: imageCount, value: [])
    }
    unknownTypes.value.insert(type)
  }

  /// The shape of a type; nil if it is not known.
  func shape(_ key: ExistentialShapeKey, _ imageCount: Int) -> ExistentialShape? {
    if let made = madeShapes[key] { return made }
    guard let existentialShapes, existentialShapes.imageCount == imageCount else { return nil }
    return existentialShapes.value[key]
  }

  /// The members of protocols by name; nil if they are not known.
  func protocolMembers(named name: String, _ imageCount: Int) -> [ProtocolMembers]? {
    if protocolMisses.imageCount == imageCount, protocolMisses.value.contains(name) { return [] }
    let known = protocolMembers[name]
    return known?.imageCount == imageCount ? known?.value : nil
  }

  mutating func remember(_ members: [ProtocolMembers], named name: String, _ imageCount: Int) {
    guard members.isEmpty else {
      protocolMembers[name] = Known(imageCount: imageCount, value: members)
      return
    }
    guard name.utf8.count <= Self.longestMiss else { return }
    if protocolMisses.imageCount != imageCount || protocolMisses.value.count >= Self.mostMisses {
      protocolMisses = Known(imageCount: imageCount, value: [])
    }
    protocolMisses.value.insert(name)
  }
}

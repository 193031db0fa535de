// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// The members that extensions give to all types that conform to a protocol.
package struct ProtocolMembers: Sendable {
  package let `protocol`: RunningProtocol
  package let functions: [RunningFunction]
}

extension RunningProgram {
  /// All functions that are members of the type, of its extensions in any image too, patch points
  /// or not. Cost the first time: the images' symbols are sorted, and each symbol that begins as
  /// the type does is read.
  package func members(of type: RunningType) -> [RunningFunction] {
    // What other modules add to the program's types is in the program's images.
    let images = isOwn(type) ? images.filter { !$0.image.isSystem } : images
    let known = cache.withLock { $0.members[type] }
    if let known, known.imageCount == images.count { return known.value }
    let found = type.memberPrefixes.flatMap {
      unsafe functions(prefix: $0, in: images) { _ in true }
    }
    .filter {
      $0.declaration.context.memberOf?.unbound == type.nominal && !Self.isEngines($0.declaration)
    }
    cache.withLock { $0.members[type] = .init(imageCount: images.count, value: found) }
    return found
  }

  /// Whether a declaration is the engine's own extension of another module's type.
  private static func isEngines(_ declaration: FunctionDeclaration) -> Bool {
    declaration.extensionModule?.hasPrefix("Waxwing") == true
  }

  /// The program's own protocols of this name, with or without their module.
  package func protocols(named name: String) -> [RunningType] {
    let own = images.filter { !$0.image.isSystem }.flatMap(\.protocols)
    let found = own.filter { $0.name == name }
    return (found.isEmpty ? own.filter { $0.name.hasSuffix("." + name) } : found)
      .map { RunningType($0) }
  }

  /// The functions of this base name that extensions of protocols have, whichever protocols.
  package func protocolMembers(named baseName: String) -> [ProtocolMembers] {
    let images = images
    if let known = cache.withLock({ $0.protocolMembers(named: baseName, images.count) }) {
      return known
    }
    let wanted = NameInSymbol(baseName)
    let found = protocolSymbols(images).compactMap { symbols -> ProtocolMembers? in
      let named = symbols.candidates.filter { unsafe wanted.mayBeIn($0.symbol.bytes) }
      if named.isEmpty { return nil }
      let functions = functions(of: named).filter {
        $0.declaration.baseName == baseName
          && ($0.declaration.extensionModule != nil || $0.symbol.hasSuffix(Self.dispatch))
          && $0.declaration.context.memberOf?.unbound == symbols.found.nominal
      }
      // A requirement comes before the implementation that an extension gives it.
      let requirements = functions.filter { $0.declaration.extensionModule == nil }
      let others = functions.filter { $0.declaration.extensionModule != nil }
      return functions.isEmpty
        ? nil : ProtocolMembers(protocol: symbols.found, functions: requirements + others)
    }
    cache.withLock { $0.remember(found, named: baseName, images.count) }
    return found
  }

  /// The possible members of the extensions of each protocol, as its symbols tell.
  private func protocolSymbols(_ images: [LoadedImage]) -> [ProtocolSymbols] {
    if let known = cache.withLock({ $0.protocolSymbols }), known.imageCount == images.count {
      return known.value
    }
    var seen: Set<NominalType> = []
    let made = images.flatMap(\.protocols).compactMap { found -> ProtocolSymbols? in
      guard seen.insert(found.nominal).inserted else { return nil }
      let candidates = unsafe candidates(prefix: found.symbol, in: images) { _ in true }
      return candidates.isEmpty ? nil : ProtocolSymbols(found: found, candidates: candidates)
    }
    cache.withLock { $0.protocolSymbols = .init(imageCount: images.count, value: made) }
    return made
  }

  /// The free functions, and globals' accessors, of this base name in a module.
  package func functions(named baseName: String, inModule module: String) -> [RunningFunction] {
    let wanted = NameInSymbol(baseName)
    return unsafe functions(prefix: Self.modulePrefix(of: module), in: images) {
      unsafe wanted.mayBeIn($0)
    }
    .filter {
      $0.declaration.baseName == baseName && $0.declaration.context == .module(module)
    }
  }

  /// All free functions and globals' accessors of a module, for messages and lists.
  package func functions(inModule module: String) -> [RunningFunction] {
    unsafe functions(prefix: Self.modulePrefix(of: module), in: images) { _ in true }
      .filter { $0.declaration.context == .module(module) }
  }

  /// The base names of those.
  package func functionNames(inModule module: String) -> Set<String> {
    let count = images.count
    let known = cache.withLock { $0.functionNames[module] }
    if let known, known.imageCount == count { return known.value }
    let names = Set(functions(inModule: module).map(\.declaration.baseName))
    // There is no end to the names of modules that are not there.
    if !names.isEmpty {
      cache.withLock { $0.functionNames[module] = .init(imageCount: count, value: names) }
    }
    return names
  }

  /// The program's own protocols.
  package var ownProtocols: [RunningProtocol] {
    images.filter { !$0.image.isSystem }.flatMap(\.protocols)
  }

  /// All protocols of the program's images.
  package var protocols: [RunningProtocol] { images.flatMap(\.protocols) }

  /// The members of a protocol's extensions.
  package func members(of owner: RunningProtocol) -> [RunningFunction] {
    unsafe functions(prefix: owner.symbol, in: images) { _ in true }.filter {
      $0.declaration.extensionModule != nil
        && $0.declaration.context.memberOf?.unbound == owner.nominal
    }
  }

  /// Whether a module was compiled with implicit dynamic; true where nothing tells that only some of its declarations are
  /// `dynamic`. With the flag each function that is private to its file has a replacement entry: none can be `@inlinable`.
  package func hasImplicitDynamic(_ module: String) -> Bool {
    guard patchedModules.contains(module) else { return false }
    let count = images.count
    let known = cache.withLock { $0.dynamicModules[module] }
    if let known, known.imageCount == count { return known.value }
    let own = images.filter { !$0.image.isSystem }
    let functions = unsafe functions(prefix: Self.modulePrefix(of: module), in: own) { name in
      unsafe name.last == UInt8(ascii: "F")
        && String(decoding: name, as: UTF8.self).contains("LL")
    }
    .filter {
      $0.declaration.kind == .function && $0.declaration.enclosing == nil && !$0.isRemoved
        && $0.declaration.module == module
    }
    let value = functions.isEmpty || functions.contains { $0.entry != nil }
    cache.withLock { $0.dynamicModules[module] = .init(imageCount: count, value: value) }
    return value
  }

  /// Reads at once what debugging information tells of these functions.
  package func describe(_ functions: [RunningFunction]) {
    let places = Dictionary(
      grouping: functions.compactMap { function in
        function.facts.flatMap { facts in function.codeAddress.map { (facts, $0) } }
      }, by: { ObjectIdentifier($0.0) })
    for (_, places) in places { places[0].0.describe(codeAt: places.map(\.1)) }
  }

  /// The functions in the program's own code that have no replacement entry, in the order of their symbols, without the
  /// engine's own and those that are local to another.
  package var functionsWithoutEntry: [RunningFunction] {
    func isWanted(_ module: String) -> Bool { !EngineModules.mayCall(module) }
    let own = images.filter { !$0.image.isSystem }
    return unsafe functions(prefix: "$s", in: own) { name in
      unsafe SymbolModule.name(in: String(decoding: name, as: UTF8.self)).map(isWanted) ?? true
    }
    .filter { function in
      function.entry == nil && !function.isRemoved && function.declaration.enclosing == nil
        && isWanted(function.declaration.module)
    }
  }

  /// The functions in a function's image whose symbols start with `prefix`, such as its default
  /// arguments.
  package func functions(
    symbolPrefix prefix: String, besides function: RunningFunction
  ) -> [RunningFunction] {
    unsafe functions(prefix: prefix, in: [image(at: function.address)].compactMap(\.self)) { _ in
      true
    }
  }

  /// Whether an image has anything of a module of this name.
  package func hasModule(_ name: String) -> Bool { hasModule(name, in: images) }

  /// Whether the program's own images have a module of this name.
  package func hasOwnModule(_ name: String) -> Bool {
    hasModule(name, in: images.filter { !$0.image.isSystem })
  }

  private func hasModule(_ name: String, in images: [LoadedImage]) -> Bool {
    let prefix = Self.modulePrefix(of: name)
    return images.contains { image in
      image.symbols.symbols(prefix: prefix).contains { _ in true }
    }
  }

  static func modulePrefix(of name: String) -> String {
    var mangler = TypeMangler(inSymbols: true)
    mangler.append(.module(name))
    return "$s" + String(decoding: mangler.output.bytes, as: UTF8.self)
  }

  private func functions(
    prefix: String, in images: [LoadedImage], where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> [RunningFunction] {
    unsafe functions(of: candidates(prefix: prefix, in: images, where: isWanted))
  }

  /// - Parameter isWanted: Sees a symbol's bytes before it is parsed.
  private func candidates(
    prefix: String, in images: [LoadedImage], where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> [FunctionCandidate] {
    var candidates: [FunctionCandidate] = []
    for image in images {
      for symbol in image.symbols.symbols(prefix: prefix) where symbol.isFunction {
        guard unsafe Self.mayBeFunction(symbol.bytes), unsafe isWanted(symbol.bytes) else {
          continue
        }
        candidates.append(FunctionCandidate(image: image, symbol: symbol))
      }
    }
    return candidates
  }

  private func functions(of candidates: [FunctionCandidate]) -> [RunningFunction] {
    var seen: Set<String> = []
    var functions: [RunningFunction] = []
    for candidate in candidates {
      let (symbol, index) = (candidate.symbol, candidate.image.symbols)
      let name = symbol.name
      let isDispatched = name.hasSuffix(Self.dispatch)
      let declared = isDispatched ? String(name.dropLast(Self.dispatch.count)) : name
      guard let declaration = FunctionDeclaration(symbol: declared), seen.insert(name).inserted,
        !isDispatched || declaration.contextType?.nominal?.kind == .protocol
      else { continue }
      let pointer = index.address(of: name + "Tu")
      functions.append(
        RunningFunction(
          symbol: name, address: pointer ?? symbol.address,
          entry: index.address(of: name + "TX"), isAsync: pointer != nil,
          isRemoved: index.isRemoved(symbol.address),
          isReplacement: index.address(of: name + "TI") != nil, declaration: declaration,
          facts: facts[candidate.image.image]))
    }
    return functions
  }

  /// The suffix of the symbol of a dispatch thunk, which calls a requirement by the witness table
  /// in libraries that are built for evolution (`DispatchThunk` in the compiler's lib/Demangling,
  /// Swift 6.3). It is called as a member of an extension is.
  private static let dispatch = "Tj"

  /// Whether a symbol may be a function, by its last letter: functions, initializers, accessors,
  /// static members and the values of default arguments; but not the witnesses, thunks and metadata
  /// that most symbols stand for.
  static func mayBeFunction(_ name: UnsafeRawBufferPointer) -> Bool {
    switch unsafe name.last.map(Unicode.Scalar.init) {
    case "F", "Z", "C", "c", "g", "s", "u", "_": true
    case "j": unsafe name.suffix(3).elementsEqual(Array("gTj".utf8))
    default: false
    }
  }
}

/// A symbol that may be a function's.
struct FunctionCandidate: Sendable {
  let image: LoadedImage
  let symbol: SymbolIndex.Symbol
}

/// The symbols of a protocol's extensions.
struct ProtocolSymbols: Sendable {
  let found: RunningProtocol
  let candidates: [FunctionCandidate]
}

// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization
package import WaxwingDeclarations

/// Tells which modules of the running program are built with `-enable-library-evolution`, by their
/// symbols.
///
/// In such a module a public struct or enum that is not `@frozen` may be changed without compiling its users again. So
/// it travels by address in all functions of all modules, its own included.
package enum LibraryEvolution {
  /// The signs in the symbols of an image about one of its structs or enums.
  package struct Signs: Sendable {
    /// Whether any symbol shows that the module is built so.
    package let isModuleResilient: Bool
    /// Whether an enum has symbols for its cases, which only an enum that is not frozen has.
    package let hasCaseSymbols: Bool
    /// Whether other enums of the module have such symbols.
    package let hasModuleCaseSymbols: Bool
    package let type: RunningType
    private let image: ImageSigns
    private var index: SymbolIndex { image.index }

    fileprivate init(_ image: ImageSigns, _ type: RunningType) {
      self.image = image
      self.type = type
      let nominal = type.nominal
      let module = nominal.rootModule ?? ""
      isModuleResilient = image.modules.contains(module)
      hasCaseSymbols = image.enums.contains(nominal)
      hasModuleCaseSymbols = image.enums.contains { $0.rootModule == module }
    }

    /// The dynamic functions that are members of the type and are not `async`.
    package var functions: some Sequence<(declaration: FunctionDeclaration, address: UInt)> {
      index.symbols(prefix: type.symbol).filter { $0.hasSuffix("TX") }.lazy
        .compactMap { entry -> (declaration: FunctionDeclaration, address: UInt)? in
          let name = entry.dropping(2).name
          guard let declaration = FunctionDeclaration(symbol: name), !declaration.isAsync,
            declaration.context.memberOf?.unbound == type.nominal,
            let address = index.address(of: name), !index.isRemoved(address)
          else { return nil }
          return (declaration, address)
        }
    }

    /// The dynamic functions of the image that return a struct or enum that is not generic or bound, are not
    /// `async` and need no types from their callers, by that struct or enum without its arguments.
    package var returningFunctions: [NominalType: [ReturningFunction]] {
      image.returningFunctions.all(index)
    }

    /// The structs and enums of the type's module that other modules see.
    package var moduleTypes: [RunningType] {
      let module = type.nominal.rootModule
      return index.publicDescriptors.compactMap { descriptor, symbol in
        RunningType(descriptorSymbol: symbol, descriptor: descriptor)
      }.filter { $0.nominal.kind != .class && $0.nominal.rootModule == module }
    }

    /// Properties that the type's module describes by nothing, with the descriptors of their types. It does so for
    /// stored ones if others may know that they are stored.
    package var undescribedProperties: [(descriptor: UInt, name: String)] {
      let module = type.nominal.rootModule ?? ""
      return index.evolutionSigns.lazy.filter { $0.hasSuffix("vpMV") }.compactMap { sign in
        guard let address = index.address(of: sign), ImageSigns.isNothing(address),
          let property = ImageSigns.declaration(sign), property.module == module,
          let owner = property.context.memberOf?.unbound,
          let descriptor = index.address(of: "$s\(TypeNode.nominal(owner).inSymbols)Mn")
        else { return nil }
        return (descriptor, property.name.text)
      }
    }

    /// A key for the module in this image.
    package var moduleKey: String { "\(image.base) \(type.nominal.rootModule ?? "")" }
  }

  /// A function that returns a struct or enum.
  package struct ReturningFunction: Sendable {
    package let result: TypeNode
    /// Where its code is.
    package let address: UInt
  }

  private static let images = Mutex<[UInt: ImageSigns?]>([:])

  /// Adds the signs in the image's symbols, which have been read already.
  static func add(_ index: SymbolIndex, base: UInt) {
    let signs = ImageSigns(index, base: base)
    images.withLock { $0[base] = .some(signs) }
  }

  /// - Parameter descriptor: The address of the type's context descriptor.
  /// - Returns: nil: the type belongs to the system, or other modules do not see it.
  package static func signs(ofDescriptor descriptor: UInt) -> Signs? {
    var base: UInt = 0
    guard unsafe wax_process_image_base(descriptor, &base), let image = image(base),
      let symbol = image.index.publicDescriptors[descriptor],
      let type = RunningType(descriptorSymbol: symbol, descriptor: descriptor)
    else { return nil }
    return Signs(image, type)
  }

  private static func image(_ base: UInt) -> ImageSigns? {
    if let known = images.withLock({ $0[base] }) { return known }
    let image = RunningImage.all().first { $0.base == base }
    let signs = image.flatMap { $0.isSystem ? nil : ImageSigns(SymbolIndex(allOf: $0), base: base) }
    images.withLock { $0[base] = .some(signs) }
    return signs
  }
}

/// The signs of library evolution in one image.
private struct ImageSigns: Sendable {
  let index: SymbolIndex
  let base: UInt
  let returningFunctions = FunctionsByResult()
  /// The modules that are built for library evolution.
  private(set) var modules: Set<String> = []
  /// The enums that have symbols for their cases.
  private(set) var enums: Set<NominalType> = []

  init(_ index: SymbolIndex, base: UInt) {
    self.index = index
    self.base = base
    for name in index.evolutionSigns {
      if name.hasSuffix("MV") {
        guard let address = index.address(of: name), Self.isStoredComponent(address) else {
          continue
        }
      }
      guard let declaration = Self.declaration(name) else { continue }
      modules.insert(declaration.module)
      if name.hasSuffix("WC"), let type = declaration.context.memberOf {
        enums.insert(type.unbound)
      }
    }
  }

  /// The declaration that the symbol belongs to; for a property, its getter.
  static func declaration(_ name: String) -> FunctionDeclaration? {
    let stem = String(name.dropLast(2))
    if name.hasSuffix("MV") {
      return FunctionDeclaration(symbol: stem.hasSuffix("vp") ? stem.dropLast() + "g" : stem)
    }
    return FunctionDeclaration(symbol: stem)
  }

  /// Whether the address is a key path's component for a stored property of a struct or a class. A
  /// module that is built in the usual way has none, because others know its stored properties
  /// (`KeyPathComponentHeader`, include/swift/ABI/KeyPath.h, Swift 6.3).
  private static func isStoredComponent(_ address: UInt) -> Bool {
    guard let header = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    let kind = unsafe (header.loadUnaligned(as: UInt32.self) >> 24) & 0x7f
    return kind == 1 || kind == 3
  }

  static func isNothing(_ description: UInt) -> Bool {
    guard let header = unsafe UnsafeRawPointer(bitPattern: description) else { return false }
    return unsafe header.loadUnaligned(as: UInt32.self) == 0
  }
}

/// The functions of an image that return structs or enums, which are looked for when they are first asked for.
private final class FunctionsByResult: Sendable {
  private let found = Mutex<[NominalType: [LibraryEvolution.ReturningFunction]]?>(nil)

  func all(_ index: SymbolIndex) -> [NominalType: [LibraryEvolution.ReturningFunction]] {
    if let known = found.withLock({ $0 }) { return known }
    var all: [NominalType: [LibraryEvolution.ReturningFunction]] = [:]
    for entry in index.symbols(suffix: "TX") {
      let name = entry.dropping(2).name
      guard let declaration = FunctionDeclaration(symbol: name), !declaration.isAsync,
        declaration.genericSignature == nil, Self.kinds.contains(declaration.kind),
        let type = declaration.result.nominal, type.kind != .class, type.kind != .protocol,
        let address = index.address(of: name), !index.isRemoved(address)
      else { continue }
      all[type.unbound, default: []].append(.init(result: declaration.result, address: address))
    }
    found.withLock { $0 = all }
    return all
  }

  private static let kinds: Set<DeclarationKind> = [
    .function, .getter, .subscriptGetter, .allocatingInitializer,
  ]
}

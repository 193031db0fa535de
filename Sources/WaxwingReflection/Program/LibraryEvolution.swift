// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Synchronization
package import WaxwingDeclarations

/// Which modules of the running program are built with `-enable-library-evolution`, as their symbols tell.
///
/// In such a module a public struct or enum that is not `@frozen` may be changed without compiling its users again. So
/// it travels by address in all functions of all modules, its own included.
package enum LibraryEvolution {
  /// What the symbols of an image tell of one of its structs or enums.
  package struct Signs: Sendable {
    /// Something shows that the module is built so.
    package let isModuleResilient: Bool
    /// Of an enum: there are symbols for its cases, which only one that is not frozen has.
    package let hasCaseSymbols: Bool
    /// Other enums of the module have such symbols.
    package let hasModuleCaseSymbols: Bool
    package let type: RunningType
    private let index: SymbolIndex

    fileprivate init(_ image: ImageSigns, _ type: RunningType) {
      index = image.index
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
  }

  private static let images = Mutex<[UInt: ImageSigns?]>([:])

  /// What the image's symbols tell, which have been read already.
  static func add(_ index: SymbolIndex, base: UInt) {
    let signs = ImageSigns(index)
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
    let signs = image.flatMap { $0.isSystem ? nil : ImageSigns(SymbolIndex(allOf: $0)) }
    images.withLock { $0[base] = .some(signs) }
    return signs
  }
}

/// The same of an image.
private struct ImageSigns: Sendable {
  let index: SymbolIndex
  /// Those that are built for library evolution.
  private(set) var modules: Set<String> = []
  /// Those that have symbols for their cases.
  private(set) var enums: Set<NominalType> = []

  init(_ index: SymbolIndex) {
    self.index = index
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

  /// What the symbol belongs to: of a property its getter.
  private static func declaration(_ name: String) -> FunctionDeclaration? {
    let stem = String(name.dropLast(2))
    if name.hasSuffix("MV") {
      return FunctionDeclaration(symbol: stem.hasSuffix("vp") ? stem.dropLast() + "g" : stem)
    }
    return FunctionDeclaration(symbol: stem)
  }

  /// A key path's component for a stored property of a struct or a class. A module that is built in the usual
  /// way has none: others know what is stored (`KeyPathComponentHeader`, include/swift/ABI/KeyPath.h, Swift 6.3).
  private static func isStoredComponent(_ address: UInt) -> Bool {
    guard let header = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    let kind = unsafe (header.loadUnaligned(as: UInt32.self) >> 24) & 0x7f
    return kind == 1 || kind == 3
  }
}

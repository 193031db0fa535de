// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A global variable, or a static property, that stands in memory of its own.
package struct RunningStorage: Sendable {
  package let declaration: FunctionDeclaration
  /// The address of the variable, or of the function that returns its address and initializes it.
  package let address: UInt
  package let isAddressor: Bool

  package var type: TypeNode { declaration.interfaceType ?? .void }
}

extension RunningProgram {
  /// The static property of this name of a type.
  package func storage(named name: String, of type: RunningType) -> RunningStorage? {
    storage(named: name, prefix: type.symbol) { $0.memberOf?.unbound == type.nominal }
  }

  /// The global variable of this name.
  package func storage(named name: String, inModule module: String) -> RunningStorage? {
    storage(named: name, prefix: Self.modulePrefix(of: module)) { $0 == .module(module) }
  }

  /// The names of a type's static properties that stand in memory, for messages.
  package func storageNames(of type: RunningType) -> Set<String> {
    storageNames(prefix: type.symbol) { $0.memberOf?.unbound == type.nominal }
  }

  /// A type's static properties that stand in memory, where they stand, also those that nothing has initialized yet:
  /// their bytes are 0.
  package func staticMemory(of type: RunningType) -> [RunningStorage] {
    images.flatMap { image in
      image.symbols.symbols(prefix: type.symbol).compactMap { symbol in
        guard let found = Self.storage(symbol), !found.isAddressor,
          found.declaration.context.memberOf?.unbound == type.nominal
        else { return nil }
        return found
      }
    }
  }

  /// The names of a module's global variables.
  package func storageNames(inModule module: String) -> Set<String> {
    storageNames(prefix: Self.modulePrefix(of: module)) { $0 == .module(module) }
  }

  private func storageNames(
    prefix: String, in belongs: (DeclarationContext) -> Bool
  ) -> Set<String> {
    var names: Set<String> = []
    for image in images {
      for symbol in image.symbols.symbols(prefix: prefix) {
        guard let found = Self.storage(symbol)?.declaration, belongs(found.context) else {
          continue
        }
        names.insert(found.baseName)
      }
    }
    return names
  }

  private func storage(
    named name: String, prefix: String, in belongs: (DeclarationContext) -> Bool
  ) -> RunningStorage? {
    let wanted = NameInSymbol(name)
    var data: RunningStorage?
    for image in images {
      for symbol in image.symbols.symbols(prefix: prefix) where unsafe wanted.mayBeIn(symbol.bytes)
      {
        guard let found = Self.storage(symbol), found.declaration.baseName == name,
          belongs(found.declaration.context)
        else { continue }
        if found.isAddressor { return found }
        if !Self.isLazy(symbol, in: image.symbols) { data = found }
      }
    }
    return data
  }

  private static func storage(_ symbol: SymbolIndex.Symbol) -> RunningStorage? {
    let isAddressor = symbol.hasSuffix("vau")
    guard isAddressor || symbol.hasSuffix("vpZ") || symbol.hasSuffix("vp"),
      symbol.isFunction == isAddressor, let declaration = FunctionDeclaration(symbol: symbol.name)
    else { return nil }
    return RunningStorage(
      declaration: declaration, address: symbol.address, isAddressor: isAddressor)
  }

  /// Whether a variable's first use initializes it: then there is a function for that, of the
  /// variable's name without its type (`WZ`).
  private static func isLazy(_ variable: SymbolIndex.Symbol, in index: SymbolIndex) -> Bool {
    let name = variable.name
    return index.symbols(suffix: "_WZ").contains { name.hasPrefix($0.name.dropLast(3)) }
  }
}

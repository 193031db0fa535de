// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The types with static members of certain names that are values, or types nested in them, as the symbols of
/// images tell: computed and stored properties. The cases of enums have no symbols.
package struct StaticValueOwners: Sendable {
  private var owners: [String: Set<NominalType>] = [:]

  /// Reads an image's symbols. Facts that they do not tell are left out.
  package init(of names: some Sequence<String>, in image: ElfImage) {
    let wanted = names.map(NameInSymbol.init)
    for table in [ElfSymbolTable.complete, .dynamic] {
      var found: [String] = []
      try? unsafe image.forEachSymbol(in: table) { name, entry in
        guard unsafe entry.isDefined && Self.mayBeValue(name, wanted) else { return }
        found.append(unsafe String(decoding: name, as: UTF8.self))
      }
      for symbol in found { add(symbol, names) }
    }
  }

  fileprivate init(of names: [String], in indices: [SymbolIndex]) {
    let wanted = names.map(NameInSymbol.init)
    for index in indices {
      let found = unsafe index.symbols { unsafe Self.mayBeValue($0, wanted) }
      for symbol in found { add(symbol.name, names) }
    }
  }

  /// Whether a type itself has such a value of this name.
  package func has(_ name: String, in type: NominalType) -> Bool {
    owners[name]?.contains(type.unbound) ?? false
  }

  /// Whether a type may have any of the values, its own or inherited: a class those of other classes, any type
  /// those of extensions of protocols.
  package func mayBe(in type: NominalType) -> Bool {
    owners.values.joined().contains { owner in
      owner == type.unbound || owner.kind == .protocol
        || (owner.kind == .class && type.kind == .class)
    }
  }

  private mutating func add(_ symbol: String, _ names: some Sequence<String>) {
    guard let (name, owner) = Self.value(symbol), names.contains(name),
      !EngineModules.contains(owner.module ?? "")
    else { return }
    owners[name, default: []].insert(owner.unbound)
  }

  private static func value(_ symbol: String) -> (name: String, owner: NominalType)? {
    if symbol.hasSuffix("Mn") {
      let type = TypeNode(mangled: String(symbol.dropFirst(2).dropLast(2)))?.nominal
      return type.flatMap { type in type.context.memberOf.map { (type.name.text, $0) } }
    }
    guard let found = FunctionDeclaration(symbol: symbol), let owner = found.context.memberOf else {
      return nil
    }
    return (found.baseName, owner)
  }

  /// Getters, variables and what gives their addresses; descriptors of types.
  private static func mayBeValue(
    _ symbol: UnsafeRawBufferPointer, _ names: [NameInSymbol]
  ) -> Bool {
    // Most symbols end otherwise: this is asked of all of a program's.
    switch symbol.count > 2 ? unsafe symbol[symbol.count - 1] : 0 {
    case UInt8(ascii: "Z"), UInt8(ascii: "u"), UInt8(ascii: "n"): break
    default: return false
    }
    let isValue = ["vgZ", "vpZ", "vau", "Mn"].contains {
      unsafe symbol.suffix($0.utf8.count).elementsEqual($0.utf8)
    }
    guard isValue else { return false }
    return names.contains { unsafe $0.mayBeIn(symbol) }
  }
}

extension RunningProgram {
  /// The types of the program's own images with static values of certain names.
  package func staticValueOwners(of names: [String]) -> StaticValueOwners {
    StaticValueOwners(of: names, in: images.filter { !$0.image.isSystem }.map(\.symbols))
  }
}

// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// A class, struct or enum of the running program, or a protocol as what its extensions' functions are
/// members of.
package struct RunningType: Hashable, Sendable {
  /// The qualified name of the type, such as `Bank.Account`.
  package let name: String
  package let nominal: NominalType
  /// The prefix of the symbols of its members.
  package let symbol: String
  /// The address of its context descriptor; 0: the optimiser has dropped it.
  package let descriptor: UInt

  package var node: TypeNode { .nominal(nominal) }

  /// The name without the module: `Outer.Inner`.
  package var path: String {
    guard let module = nominal.rootModule else { return name }
    return String(name.dropFirst(module.utf8.count + 1))
  }

  /// The possible prefixes of the symbols of its members. A context and a first type that are one
  /// standard type are spelled as a repetition: `$sS2ayxGycfC` is `Array.init() -> Array`. A type
  /// in a function is found by the declaration around it: the function's own types have several
  /// spellings.
  var memberPrefixes: [String] {
    if let prefix = Self.prefixOutsideFunctions(nominal.context) { return [prefix] }
    let standard = symbol.dropFirst(2)
    guard standard.utf8.count == 2, standard.hasPrefix("S") else { return [symbol] }
    return [symbol] + (2...9).map { "$sS\($0)\(standard.suffix(1))" }
  }

  /// Whether a function is around it.
  var isLocal: Bool { Self.prefixOutsideFunctions(nominal.context) != nil }

  /// The prefix of the symbols of declarations around the outermost function; nil if there is no
  /// function around it.
  private static func prefixOutsideFunctions(_ context: DeclarationContext) -> String? {
    switch context {
    case .module: return nil
    case .type(let type), .extension(let type, _, _): return prefixOutsideFunctions(type.context)
    case .declaration(let function, _):
      if let prefix = prefixOutsideFunctions(function.context) { return prefix }
      switch function.context {
      case .module(let name): return RunningProgram.modulePrefix(of: name)
      case .type(let type), .extension(let type, _, _):
        return "$s" + TypeNode.nominal(type.unbound).inSymbols
      case .declaration: return nil
      }
    }
  }

  /// - Parameter descriptorSymbol: `$s4Bank7AccountCMn`
  init?(descriptorSymbol: String, descriptor: UInt) {
    guard descriptorSymbol.hasPrefix("$s"), descriptorSymbol.hasSuffix("Mn") else { return nil }
    symbol = String(descriptorSymbol.dropLast(2))
    guard
      let nominal = NominalType(spelledOut: symbol.dropFirst(2))
        ?? TypeNode(mangled: String(symbol.dropFirst(2)))?.nominal?.unbound,
      [.class, .struct, .enum].contains(nominal.kind)
    else { return nil }
    self.nominal = nominal
    self.descriptor = descriptor
    name = nominal.qualifiedName
  }

  /// A type that only the symbols of its members name.
  init(undescribed nominal: NominalType) {
    self.nominal = nominal
    name = nominal.qualifiedName
    symbol = "$s" + TypeNode.nominal(nominal).inSymbols
    descriptor = 0
  }

  init(_ extended: RunningProtocol) {
    name = extended.name
    nominal = extended.nominal
    symbol = extended.symbol
    descriptor = extended.descriptor
  }
}

// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// What debugging information tells of a closure: where it is written, and what its variables are called.
package struct DescribedClosure: Hashable, Sendable {
  /// A parameter of a closure, or a variable that it has captured.
  package struct Variable: Hashable, Sendable {
    package let name: String
    /// The name of its type, mangled, without a prefix; nil: there is none.
    package let type: String?
    /// Whether it is a captured `var`.
    package let isMutable: Bool
  }

  /// The name of the file, without its folders.
  package let file: String
  package let line: Int
  /// The closure's own parameters, and behind them what it has captured, in the order of its context.
  package let variables: [Variable]

  /// Where the closure is written: `Routes.swift:42`.
  package var place: String { "\(file):\(line)" }

  /// The variables that the closure has captured. Nil: there are fewer variables than parameters.
  package func captured(by closure: FunctionDeclaration) -> [Variable]? {
    let own = closure.interfaceType?.function?.parameters.count ?? 0
    return variables.count < own ? nil : Array(variables.dropFirst(own))
  }

  /// The variables that the closure has captured, as a declaration has them; nil if there are none.
  package func capturedText(by closure: FunctionDeclaration) -> String? {
    let captured = captured(by: closure) ?? []
    if captured.isEmpty { return nil }
    return captured.map { $0.text(in: closure.function.module) }.joined(separator: ", ")
  }
}

extension DescribedClosure.Variable {
  /// How the variable holds its value.
  package enum Holding: Hashable, Sendable {
    case strong
    case weak
    case unowned
    case unmanaged
  }

  /// How it holds its value, and the type of that; nil: debugging information does not tell.
  package var held: (holding: Holding, type: TypeNode)? {
    guard let type else { return nil }
    var demangler = Demangler(type.utf8)
    guard let node = demangler.type() else { return nil }
    guard case .modified(let modifier, let value) = node else { return (.strong, node) }
    switch modifier {
    case .weak: return (.weak, value)
    case .unowned: return (.unowned, value)
    case .unmanaged: return (.unmanaged, value)
    default: return nil
    }
  }
}

extension DescribedClosure.Variable {
  /// The variable as a declaration has it: `var count: Int`, `weak self: Store?`.
  package func text(in module: String) -> String {
    guard let held else { return name }
    let word =
      switch held.holding {
      case .strong: isMutable ? "var " : ""
      case .weak: "weak "
      case .unowned: "unowned "
      case .unmanaged: "unowned(unsafe) "
      }
    return "\(word)\(name): \(held.type.shortDescription(in: module))"
  }
}

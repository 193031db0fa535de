// SPDX-License-Identifier: MIT

extension TypeNode: CustomStringConvertible {
  /// The type as the official demangler writes it: `[Swift.String : Bank.Account]`.
  package var description: String { TypePrinter.text(of: self, style: .qualified) }

  /// The type as in source, without `Swift.` and without the given module: `[String: Account]`.
  package func shortDescription(in module: String? = nil) -> String {
    TypePrinter.text(of: self, style: .short(module: module))
  }
}

extension NominalType {
  /// `Bank.Outer.Inner`: the module and the names on the way, without generic arguments.
  package var qualifiedName: String {
    var names = [name.plainText]
    var current = context.memberOf
    while let type = current {
      names.append(type.name.plainText)
      current = type.context.memberOf
    }
    if let rootModule { names.append(rootModule) }
    return names.reversed().joined(separator: ".")
  }

  /// The module of the outermost type around this one: the first part of its name.
  package var rootModule: String? {
    var root = context
    while let type = root.memberOf { root = type.context }
    return root.module
  }
}

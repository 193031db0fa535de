// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// Names for the parameters of an override: labels, or names that the types suggest.
package enum PointParameters {
  /// The names of the parameters in the order in which an override gets them: for a setter the new
  /// value, then the indices.
  package static func names(of declaration: FunctionDeclaration) -> [String] {
    var taken = reserved
    return declaration.parameters.enumerated().map { index, parameter in
      let wanted = wanted(parameter, index, declaration)
      var name = wanted
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(wanted)\(number)"
        number += 1
      }
      return name
    }
  }

  /// Names that the body of an override uses.
  private static let reserved: Set = ["self", "original", "captured", "_ENV", "class", "module"]

  private static func wanted(
    _ parameter: FunctionParameter, _ index: Int, _ declaration: FunctionDeclaration
  ) -> String {
    if let label = parameter.label, let name = LuaName.adapted(label) { return name }
    switch declaration.kind {
    case .setter: return "value"
    case .accessor(.willSet): return "newValue"
    case .accessor(.didSet): return "oldValue"
    case .subscriptSetter where index == 0: return "value"
    case .subscriptGetter, .subscriptSetter: return "index"
    default: return typeName(parameter.type) ?? "value"
    }
  }

  /// `account` for a parameter of the program's own type `Account`.
  private static func typeName(_ type: TypeNode) -> String? {
    guard let nominal = (type.optionalPayload ?? type).nominal, nominal.rootModule != "Swift"
    else { return nil }
    let name = nominal.name.plainText
    let capitals = name.prefix(while: \.isUppercase)
    // `HTTPRequest`: the last capital begins the next word.
    let count =
      capitals.count > 1 && capitals.count < name.count ? capitals.count - 1 : capitals.count
    return LuaName.adapted(name.prefix(count).lowercased() + name.dropFirst(count))
  }
}

// SPDX-License-Identifier: MIT

/// What LuaCATS calls the operators of Lua by which Swift's are called; comparisons it has no words for.
enum LuaOperatorNames {
  private static let binary = [
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "**": "pow", "&": "band",
    "|": "bor",
    "^": "bxor", "<<": "shl", ">>": "shr", "..": "concat",
  ]
  private static let unary = ["-": "unm", "~": "bnot"]

  /// - Parameter name: Swift's name of the operator.
  static func word(_ name: String, operands: Int) -> String? {
    switch operands {
    case 1: unary[name]
    case 2: binary[name]
    default: nil
    }
  }
}

// SPDX-License-Identifier: MIT

/// The names in LuaCATS of the Lua operators that call operators of Swift. LuaCATS has none for
/// comparisons.
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

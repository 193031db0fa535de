// SPDX-License-Identifier: MIT

internal import WaxwingBridge

/// An operator of Lua's and the Swift operator that it means.
struct LuaOperator {
  /// The name in Lua, such as `__add`.
  let event: StaticString
  /// The name in Swift.
  let text: String
  let isUnary: Bool
  /// The comparison, for operators that are requirements of conformances.
  let comparison: Comparison?

  private init(
    _ event: StaticString, _ text: String, isUnary: Bool = false, _ comparison: Comparison? = nil
  ) {
    self.event = event
    self.text = text
    self.isUnary = isUnary
    self.comparison = comparison
  }

  /// The words of Lua's own messages for the operator: attempt to `perform arithmetic on` a nil
  /// value.
  var verb: String {
    switch event.description {
    case "__concat": "concatenate"
    case "__band", "__bor", "__bxor", "__bnot", "__shl", "__shr": "perform bitwise operation on"
    case "__lt", "__le", "__eq": "compare a Swift value with"
    default: "perform arithmetic on"
    }
  }

  /// `==`, which Lua asks of two values only.
  static let equals = LuaOperator("__eq", "==", .equal)

  /// Lua's `^` is a power and its `~` between operands what `^` is in Swift. Swift has no `//`.
  static let all = [
    LuaOperator("__add", "+"), LuaOperator("__sub", "-"), LuaOperator("__mul", "*"),
    LuaOperator("__div", "/"), LuaOperator("__mod", "%"), LuaOperator("__pow", "**"),
    LuaOperator("__unm", "-", isUnary: true), LuaOperator("__bnot", "~", isUnary: true),
    LuaOperator("__band", "&"), LuaOperator("__bor", "|"), LuaOperator("__bxor", "^"),
    LuaOperator("__shl", "<<"), LuaOperator("__shr", ">>"), LuaOperator("__concat", ".."),
    LuaOperator("__lt", "<", .less), LuaOperator("__le", "<=", .lessOrEqual),
  ]
}

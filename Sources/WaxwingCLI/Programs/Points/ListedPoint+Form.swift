// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingControl

extension ListedPoint {
  /// The text with which an author overrides the point, if the owner is in a local variable:
  /// `Account:withdraw(amount, memo)`, `Account.get:title()`, `Account["add(_: Swift.Int)"]`.
  ///
  /// What no patch can name has its whole name in place of that.
  var form: String { kind == .other ? selector : form(owner.local) }

  private func form(_ local: String) -> String {
    let path = path(local)
    guard LuaName.isValid(member) else { return "\(path)[\(LuaName.quoted(member))]" }
    let list = parameters.joined(separator: ", ")
    return "\(path)\(owner.isType ? ":" : ".")\(member)(\(list))"
  }

  private func path(_ local: String) -> String {
    local + (isStatic && owner.part != .hiddenStatic ? ".static" : "") + kind.luaPart
  }

  /// An override that only calls the original.
  func passThrough(_ local: String) -> [String] {
    let all = (owner.isType && kind != .closure ? ["self"] : []) + parameters
    let list = all.joined(separator: ", ")
    let head =
      LuaName.isValid(member)
      ? "function " + form(local) : "\(form(local)) = function(\(list))"
    return [head, "  return original(\(list))", "end"]
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingDeclarations

extension PointEntry {
  /// The target to which a patch of the engine assigns an override, and the function that it gets from there:
  /// `patching(owner).get["title"]`. With `patching`, `get` and `static` are Waxwing's also where the type has a case or a
  /// property of the name.
  /// - Parameter owner: The variable that holds the owner.
  func luaMember(of owner: String) -> String {
    let type = isStatic ? "patching(\(owner)).static" : owner
    let part = kind.luaPart
    let place = isMember && !part.isEmpty ? "patching(\(type))\(part)" : type + part
    return place + "[\(LuaName.quoted(member))]"
  }

  /// The owner of the point in Lua, such as `class "bankd.Account"`.
  var luaOwner: String { (isMember ? "class " : "module ") + LuaName.quoted(owner) }

  /// Whether an override gets `self`.
  var takesSelf: Bool { isMember && kind != .closure }

  /// The positions of the arguments that are never shown, as a table in Lua: `{2}`.
  var maskedArguments: String {
    let places = parameters.indices.filter { place in
      MaskedNames.contains(parameters[place])
        || (![.function, .closure].contains(kind) && isMasked)
    }
    return "{" + places.map { "[\($0 + 1)] = true" }.joined(separator: ", ") + "}"
  }

  /// Whether the function's results are never shown.
  var isMasked: Bool { MaskedNames.contains(String(member.prefix { $0 != "(" })) }

  /// Whether the point is an initializer.
  var isInitializer: Bool {
    guard let kind = FunctionDeclaration(symbol: symbol)?.kind else { return false }
    return kind == .initializer || kind == .allocatingInitializer
  }
}

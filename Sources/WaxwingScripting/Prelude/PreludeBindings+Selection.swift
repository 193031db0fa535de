// SPDX-License-Identifier: MIT

internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The functions that lua/waxwing/selection.lua calls.
extension PreludeBindings {
  /// ("key" or "when") -> a function of `self` and `args`, in the script's environment
  func compileExpression(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let selection = runtime.options.selection
    let text = (name == "key" ? selection?.key : selection?.condition) ?? "nil"
    // In lines of its own: a comment at the expression's end ends with it.
    let chunk = "local self, args = ...\nreturn (\n\(text)\n)"
    do throws(LuaFailure) {
      call.writer.reference(try runtime.compile(Array(chunk.utf8), "=--\(name)"))
    } catch {
      throw .message("--\(name) is no Lua expression: \(error.message)")
    }
  }

  /// (scope, kind, name) -> by place, which arguments of the function nobody is shown, and whether that
  /// goes for its results
  func findMasked(_ call: inout LuaCall) throws(LuaRaise) {
    let (scope, kind, written) = try member(&call)
    let declaration = try named { () throws(NameError) in
      try runtime.resolver.patchPoint(Self.statedKind(written).name, kind, in: scope).declaration
    }
    let isMasked = MaskedNames.contains(declaration.baseName)
    let isAccessor = if case .accessor = declaration.kind { true } else { false }
    let labels = isAccessor ? [declaration.baseName] : declaration.labels
    call.writer.table(count: labels.count)
    for (place, label) in labels.enumerated() {
      call.writer.integer(place + 1)
      call.writer.boolean(label.map(MaskedNames.contains) ?? false)
    }
    call.writer.boolean(isMasked)
  }

  /// (function): it is called for originals, as `original` is.
  func setStandInOriginal(_ call: inout LuaCall) throws(LuaRaise) {
    guard let reference = call.reference(toArgument: 0) else { throw .message("not enough memory") }
    runtime.types.standInOriginal = reference
  }
}

extension CallSelection {
  /// Writes the table that the prelude gets.
  /// - Parameter name: The patch's.
  func write(to writer: LuaWriter, _ name: String) {
    writer.table(count: 6)
    writer.string("name")
    writer.string(name)
    writer.string("mode")
    writer.string(mode.rawValue)
    writer.string("share")
    writer.number(share ?? 1)
    writer.string("has_key")
    writer.boolean(key != nil)
    writer.string("has_condition")
    writer.boolean(condition != nil)
    writer.string("allows_effects")
    writer.boolean(allowsEffects)
  }
}

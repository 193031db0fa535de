// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua
internal import WaxwingReflection

/// `require`, `when_loaded` and `version`.
extension PreludeBindings {
  /// The places where a module was searched, for the message that it was not found.
  private func placesLookedAt(_ name: String) -> String {
    "\(ownPlaces(name)); the library has \(LuaSources.libraryNames.joined(separator: ", "))"
  }

  private func ownPlaces(_ name: String) -> String {
    let known = runtime.modules.names
    guard !known.isEmpty else {
      return "; it is one file: modules are the other files of a folder with main.lua"
    }
    let file = name.split(separator: ".").joined(separator: "/") + ".lua"
    let shown = known.prefix(10).map { "`\($0)`" }.joined(separator: ", ")
    return "; there is no \(file) in it, only \(shown)" + (known.count > 10 ? ", …" : "")
  }

  /// (name): the compiled chunk of a module, and its whole name if it is the library's; or nothing and
  /// where it was looked for. A patch's own module comes before the library's of the same name, which is always there as `waxwing.NAME`.
  func findSource(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    do throws(LuaFailure) {
      if let source = runtime.modules.file(named: name) {
        return call.writer.reference(try runtime.compile(source.text, "@" + source.name))
      }
      let prefix = "waxwing."
      let short = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
      if let text = LuaSources.libraryModule(named: short) {
        call.writer.reference(try runtime.compile(text, "\(WAX_LUA_LIBRARY)\(short).lua"))
        return call.writer.string(prefix + short)
      }
    } catch {
      throw .message(error.message)
    }
    call.writer.nil()
    call.writer.string(placesLookedAt(name))
  }

  /// (module, function) -> whether the module is there; if not, the function is kept for then.
  func waitForModule(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let module = reader.displayString(reader.read()) ?? ""
    try checkIsNoShell("modules are waited for")
    guard runtime.declarations.areAllowed else {
      throw .message("`when_loaded` works while the patch loads; it comes too late")
    }
    let isThere = runtime.resolver.program.hasModule(module)
    call.writer.boolean(isThere)
    if isThere { return }
    if runtime.isWholeProgram {
      throw .message("there is no module `\(module)`; load it with import \"\(module)\"")
    }
    guard ModuleLoading.isWatched else {
      throw .message(
        "the program has its own `dlopen`, so Waxwing does not notice when `\(module)` is loaded")
    }
    guard let reference = call.reference(toArgument: 1) else { throw .message("not enough memory") }
    runtime.modules.late.add(
      LateModules.Entry(module: module, reference: reference, declaredAt: call.position()))
  }

  /// (name of a type or module) -> its class version
  func findVersion(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    let owner = try named { () throws(NameError) in
      try runtime.resolver.typeOrModule(named: name)
    }
    call.writer.integer(runtime.options.host.classVersion(of: owner))
  }
}

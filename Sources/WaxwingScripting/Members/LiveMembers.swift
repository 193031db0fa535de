// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Live collections in Lua: indices and keys, `#`, `pairs`, methods.
final class LiveMembers {
  private let state: LuaState
  private var methods: [String: UnsafeMutablePointer<wax_lua_callback>] = [:]

  init(_ state: LuaState) {
    self.state = state
    for name in CollectionForm.allMethods {
      methods[name] = state.register { [unowned state] (call) throws(LuaRaise) in
        try Self.run(name, &call, state)
      }
    }
  }

  /// Defines the metatable. The state is entered.
  func define(_ L: OpaquePointer) -> Bool {
    let state = state
    let get = state.register { [unowned self] (call) throws(LuaRaise) in try self.get(&call) }
    let set = state.register { [unowned state] (call) throws(LuaRaise) in
      try Self.set(&call, state)
    }
    // Where another thread may change it at the same time, its elements are not counted to show it.
    let describe = state.register { (call) throws(LuaRaise) in
      let live = try Self.receiver(call)
      let count = live.isUnshared ? " (\(live.form.count(live.contents)))" : ""
      call.writer.string("live \(live.title)\(count)")
    }
    let length = state.register { (call) throws(LuaRaise) in
      let live = try Self.receiver(call)
      call.writer.integer(live.form.count(live.contents))
    }
    let entries = state.register { (call) throws(LuaRaise) in
      let live = try Self.receiver(call)
      live.form.entries(live.contents, call.writer)
    }
    return "live collection".withCString { name in
      var metatable = wax_proxy_metatable()
      metatable.name = name
      metatable.get = get
      metatable.set = set
      metatable.describe = describe
      metatable.length = length
      metatable.entries = entries
      metatable.members_vary = true
      return wax_proxy_define_metatable(
        L, TypeMetadata.pointer(to: LiveCollection.self), 0, &metatable)
    }
  }

  private static func receiver(_ call: LuaCall) throws(LuaRaise) -> LiveCollection {
    var reader = call.arguments
    let value = reader.read()
    if let live = LiveCollection.of(value) { return live }
    throw .message(
      "a live collection is expected, got \(ValueDescription.of(value, reader)); call its methods "
        + "with `:`")
  }

  /// Gets an element; Lua calls this as (collection, key).
  private func get(_ call: inout LuaCall) throws(LuaRaise) {
    let live = try Self.receiver(call)
    var key = call.arguments
    key.skip()
    var temporaries = Temporaries()
    var isKey = false
    try Self.converting(live, &call, &temporaries, state) {
      (call, temporaries) throws(ConversionError) in
      isKey = try live.form.get(live.contents, key, call.writer, &temporaries)
    }
    if isKey { return }
    let name = key.displayString(key.peeked)
    if let name, live.form.methodNames.contains(name), let method = methods[name] {
      return call.writer.function(method)
    }
    // A dictionary with strings as keys has been asked already.
    switch name {
    case "count": return call.writer.integer(Int64(live.form.count(live.contents)))
    case "isEmpty": return call.writer.boolean(live.form.count(live.contents) == 0)
    default: break
    }
    throw .message(
      "live \(live.title) has no `\(name ?? ValueDescription.of(key.peeked, key))`"
        + NearName.hint(name, among: live.form.methodNames))
  }

  /// Sets an element; Lua calls this as (collection, key, value).
  private static func set(_ call: inout LuaCall, _ state: LuaState) throws(LuaRaise) {
    let live = try receiver(call)
    try checkVariable(live, state)
    var key = call.arguments
    key.skip()
    var value = key
    value.skip()
    var temporaries = Temporaries()
    try converting(live, &call, &temporaries, state) { (_, temporaries) throws(ConversionError) in
      try live.change(&temporaries, state) { (base, temporaries) throws(ConversionError) in
        try live.form.set(base, key, &value, &temporaries)
      }
    }
  }

  /// Runs a method; Lua calls this as (collection, arguments …).
  private static func run(
    _ name: String, _ call: inout LuaCall, _ state: LuaState
  ) throws(LuaRaise) {
    let live = try receiver(call)
    if name == "copy" { return live.form.pushTable(live.contents, call.writer) }
    guard let method = live.form.method(name) else {
      throw .message("live \(live.title) has no method `\(name)`")
    }
    let changes = live.form.changing.contains(name)
    if changes { try checkVariable(live, state) }
    var arguments = call.arguments
    arguments.skip()
    var temporaries = Temporaries()
    try converting(live, &call, &temporaries, state) {
      (call, temporaries) throws(ConversionError) in
      let writer = call.writer
      let base = UnsafeMutableRawPointer(mutating: live.contents)
      guard changes else { return try method(base, &arguments, writer, &temporaries) }
      try live.change(&temporaries, state) { (base, temporaries) throws(ConversionError) in
        try method(base, &arguments, writer, &temporaries)
      }
    }
  }

  private static func checkVariable(
    _ live: LiveCollection, _ state: LuaState
  ) throws(LuaRaise) {
    if state.refusesEffects {
      throw .message(state.refusal(of: "it would change \(live.title)"))
    }
    if !live.isVariable { throw .message("\(live.title) is a `let`: it cannot be changed") }
  }

  /// Runs `body`, pushes the values that it wrote, and ends the temporaries.
  private static func converting(
    _ live: LiveCollection, _ call: inout LuaCall, _ temporaries: inout Temporaries,
    _ state: LuaState,
    _ body: (inout LuaCall, inout Temporaries) throws(ConversionError) -> Void
  ) throws(LuaRaise) {
    do throws(ConversionError) {
      try body(&call, &temporaries)
    } catch {
      temporaries.end(state)
      throw .message("live \(live.title): \(error)")
    }
    if !temporaries.isEmpty {
      wax_lua_push_call_results(call.raw)
      temporaries.end(state)
    }
  }
}

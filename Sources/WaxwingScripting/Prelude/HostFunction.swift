// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// A function in the `host` table of the prelude.
struct HostFunction {
  typealias Body = @Sendable (PreludeBindings, inout LuaCall) throws(LuaRaise) -> Void

  let name: StaticString
  /// The cost in Lua instructions besides those of the call, for functions that take long.
  let cost: UInt32
  /// Whether the function declares something, or finds the point of a declaration.
  let declares: Bool
  /// Whether the function calls the original of the running override.
  let isOriginal: Bool
  let body: Body

  init(
    _ name: StaticString, declares: Bool = false, cost: UInt32 = 0, isOriginal: Bool = false,
    _ body: @escaping Body
  ) {
    self.name = name
    self.cost = cost
    self.declares = declares
    self.isOriginal = isOriginal
    self.body = body
  }

  init(
    _ name: StaticString,
    _ method: @escaping @Sendable (PreludeBindings) -> (inout LuaCall) throws(LuaRaise) -> Void,
    declares: Bool = false, cost: UInt32 = 0, isOriginal: Bool = false
  ) {
    self.init(name, declares: declares, cost: cost, isOriginal: isOriginal) {
      (host, call) throws(LuaRaise) in try method(host)(&call)
    }
  }
}

/// All host functions in the form in which C searches them: one table for all states, as long as
/// the process lives. Unchecked: never written after `init`.
struct HostFunctions: @unchecked Sendable {
  /// The table, which is never written again.
  let table: UnsafePointer<wax_proxy_host_functions>
  private let callbacks: [LuaCallback]

  /// - Parameter failureCost: In Lua instructions: of a call that fails.
  init(_ functions: [HostFunction], failureCost: UInt32) {
    let sorted = functions.sorted { $0.name.description < $1.name.description }
    callbacks = sorted.map { Self.callback($0.body) }
    let entries = UnsafeMutablePointer<wax_proxy_host_function>.allocate(capacity: sorted.count)
    for (index, (function, callback)) in zip(sorted, callbacks).enumerated() {
      callback.pointer.pointee.cost = function.cost
      callback.pointer.pointee.failure_cost = failureCost
      callback.pointer.pointee.declares = function.declares
      callback.pointer.pointee.is_original = function.isOriginal
      callback.pointer.pointee.takes_lent = function.isOriginal
      if function.isOriginal { callback.pointer.pointee.direct = wax_call_run_running_original }
      let name = UnsafeRawPointer(function.name.utf8Start).assumingMemoryBound(to: CChar.self)
      (entries + index).initialize(
        to: wax_proxy_host_function(name: name, callback: callback.pointer))
    }
    let table = UnsafeMutablePointer<wax_proxy_host_functions>.allocate(capacity: 1)
    table.initialize(to: wax_proxy_host_functions(functions: entries, count: sorted.count))
    self.table = UnsafePointer(table)
  }

  /// A function that finds the script which calls it.
  static func callback(_ body: @escaping HostFunction.Body) -> LuaCallback {
    LuaCallback { (call) throws(LuaRaise) in
      guard let runtime = ScriptRuntime.of(call) else { return }
      try body(PreludeBindings(runtime), &call)
    }
  }
}

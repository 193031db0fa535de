// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
package import WaxwingLua

/// An operation that a coroutine of a script waits for, from the call that begins it until Lua
/// continues.
///
/// Kept by the patch until then. Of its own it never touches Lua, so that it may outlive the state.
/// Unchecked: used by turns of the activity that waits, one after the other; `interrupt` is not.
package class Wait: @unchecked Sendable {
  /// The callback with which Lua continues, made when it is first asked for.
  private lazy var callback = LuaCallback { [unowned self] (call) throws(LuaRaise) in
    guard isOver else {
      if let patch = PatchContext.context(of: call) {
        var earlier = patch.waits.refuse(self)
        patch.state.suspended { earlier = nil }  // deinitializers may run
        withExtendedLifetime(earlier) {}
      }
      throw .message(Self.impossible)
    }
    PatchContext.context(of: call)?.waits.end(self)
    try finish(&call)
  }

  init() {}

  /// Where a coroutine that was to wait is not run by anybody who could.
  private static let impossible =
    "it cannot wait here: resume a coroutine that waits only where code can wait, in "
    + "task(function() ... end) or an override of an async function"

  var pointer: UnsafeMutablePointer<wax_lua_callback> { callback.pointer }

  /// Lets the Lua code that calls wait for this.
  package func begin(_ call: inout LuaCall) {
    PatchContext.context(of: call)?.waits.begin(self)
    call.wait(for: pointer)
  }

  // MARK: For those that wait

  /// Whether Lua can go on.
  private(set) var isOver = false

  /// The activity's next suspension; nil if Lua can continue. The state is left.
  final func advance() -> UnsafePointer<Suspension>? {
    let suspension = next()
    isOver = suspension == nil
    return suspension
  }

  /// The next suspension of this kind of wait; nil if it is over.
  func next() -> UnsafePointer<Suspension>? { nil }

  /// Lua goes on, and is to get the results. The state is entered.
  func handOver() {}

  /// Gives Lua the results. The state is entered.
  func finish(_ call: inout LuaCall) throws(LuaRaise) {}

  /// Ends it before its time if it can be, because the session ends. Any thread.
  func interrupt() {}

  /// The activity that waits has ended before the wait has.
  func settle() {}
}

/// The waits of one script that have not ended. Only for the thread that has entered the state.
package struct Waits {
  private var waits: [UnsafeMutablePointer<wax_lua_callback>: Wait] = [:]
  /// The last wait that was refused because the code could not wait. It stays at least until its
  /// callback has returned.
  private var refused: Wait?

  mutating func begin(_ wait: Wait) { waits[wait.pointer] = wait }
  mutating func end(_ wait: Wait) { waits[wait.pointer] = nil }

  /// Ends a wait with which no code will continue: its coroutine was resumed at once, where code
  /// cannot wait.
  /// - Returns: The refused wait before it.
  mutating func refuse(_ wait: Wait) -> Wait? {
    waits[wait.pointer] = nil
    defer { refused = wait }
    return refused
  }

  subscript(callback: UnsafeMutablePointer<wax_lua_callback>) -> Wait? {
    waits[callback] ?? CompiledWait(callback)
  }

  /// Forgets the waits with which no code will continue.
  package mutating func forget() -> [Wait] {
    defer { (waits, refused) = ([:], nil) }
    return Array(waits.values) + [refused].compactMap(\.self)
  }
}

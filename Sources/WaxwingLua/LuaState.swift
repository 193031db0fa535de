// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// A Lua state: its memory, its lock, and the callbacks that its scripts can call.
///
/// Threads enter it one at a time with `entered`; the lock is recursive and is left wholly while
/// Swift code that Lua called runs (`suspended`). A state that has been closed is never touched
/// again: its owner sees to that by closing it after the last call has ended.
/// Unchecked: the state's lock guards what changes.
package final class LuaState: @unchecked Sendable {
  /// The C side. Only for use between `enter` and `leave`.
  package let handle: OpaquePointer

  // Written and read only by the thread that has entered.
  private var callbacks: [LuaCallback] = []
  private var kept: [UnsafeMutableRawPointer] = []
  private var isClosed = false

  /// - Parameters:
  ///   - memoryLimit: Bytes that Lua may hold, nil for no limit.
  ///   - libraries: Which of Lua's own libraries scripts see.
  ///   - hooks: How Swift releases what proxies hold, and makes their metatables.
  /// - Throws: `LuaStateError.noMemory` if the limit does not even hold the libraries.
  package init(
    memoryLimit: Int?, libraries: wax_library_libraries, hooks: wax_proxy_hooks
  ) throws(LuaStateError) {
    let opener = wax_library_opener_of(libraries)
    guard let handle = wax_proxy_state_create(memoryLimit ?? 0, opener, hooks) else {
      throw .noMemory
    }
    self.handle = handle
  }

  deinit {
    close()
    wax_lua_state_free(handle)
  }

  /// Bytes that the states of this process hold together, in steps.
  package static var totalMemory: Int { wax_lua_total_memory() }

  /// Gives the system back what closed states have left to the C library.
  package static func trimMemory() { wax_lua_trim_memory() }

  /// Bytes that the states of this process may hold together; 0 for no limit.
  package static func setTotalMemoryLimit(_ bytes: Int) {
    wax_lua_set_total_memory_limit(max(bytes, 0))
  }

  /// Closes the state: proxies release their objects, callbacks are freed. A no-op the second time.
  /// - Precondition: No thread is in it and none will enter.
  package func close() {
    if isClosed { return }
    isClosed = true
    wax_lua_state_close(handle)
    callbacks = []
    for memory in kept { memory.deallocate() }
    kept = []
  }

  /// Lets the state's scripts call no Swift code that may have effects, and set no property, from
  /// now on.
  /// - Precondition: No script has run.
  package func refuseEffects() { wax_lua_refuse_effects(handle) }

  /// Whether ``refuseEffects()`` was called.
  package var refusesEffects: Bool { wax_lua_refuses_effects(handle) }

  /// The number of effects that this state's observing scripts were refused, and the last one. A
  /// script may catch the error. Only for the thread that has entered.
  package private(set) var refusedEffects: (count: Int, last: String) = (0, "")

  /// The error for an effect that an observing script must not have. Only for the thread that has
  /// entered.
  /// - Parameter effect: The description of the effect: `it would call bank.Account.audit()`.
  package func refusal(of effect: String) -> String {
    refusedEffects = (refusedEffects.count + 1, effect)
    return "\(effect), and a shadow changes nothing; --effects allows it"
  }

  /// Bytes that Lua holds now.
  package var memory: Int { wax_lua_state_memory(handle) }

  /// The most bytes that Lua ever held.
  package var mostMemory: Int { wax_lua_state_most_memory(handle) }

  /// Objects, values and errors that proxies hold now.
  package var liveProxies: Int { wax_proxy_state_live_proxies(handle) }

  /// Runs `body` with the state entered. Objects that the collector gave up meanwhile are released
  /// after leaving, on this thread.
  package func entered<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    wax_lua_enter(handle)
    defer { wax_lua_leave(handle) }
    return try body()
  }

  /// Runs `body` with the state left, whatever the depth of entries, and enters again.
  package func suspended<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let depth = wax_lua_suspend(handle)
    defer { wax_lua_resume(handle, depth) }
    return try body()
  }

  /// Full collections of garbage until nothing more comes of it: what proxies gave up is released
  /// after leaving, and may be all that held on to other fields of objects.
  package func collect() {
    var before: Int
    repeat {
      before = liveProxies
      entered { wax_lua_collect(handle) }
      let hasCollected = entered { wax_proxy_collect_cycles(handle) > 0 }
      if hasCollected { entered { wax_lua_collect(handle) } }  // what that has left to the next
    } while liveProxies < before
  }

  /// Runs `body` with the state entered; nil: another thread has not left it in time.
  package func enteredInTime<Result>(
    milliseconds: UInt32, _ body: (LuaState) -> Result
  ) -> Result? {
    guard wax_lua_try_enter(handle, milliseconds) else { return nil }
    defer { wax_lua_leave(handle) }
    return body(self)
  }

  /// Whether Lua code may hold a reference to the object; the state is entered.
  package func hasProxy(_ object: UnsafeRawPointer) -> Bool { wax_proxy_has_proxy(handle, object) }

  /// Keeps a Swift function for scripts to call, as long as the state lives.
  /// - Returns: The callback that a `LuaWriter` pushes as a Lua function.
  package func register(
    _ function: @escaping (inout LuaCall) throws(LuaRaise) -> Void
  ) -> UnsafeMutablePointer<wax_lua_callback> {
    let callback = LuaCallback(function)
    callbacks.append(callback)
    return callback.pointer
  }

  /// Memory with a value of C's that callbacks refer to: as long as the state.
  package func keep<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    memory.initialize(to: value)
    kept.append(UnsafeMutableRawPointer(memory))
    return UnsafeMutableRawPointer(memory)
  }
}

/// Why a Lua state could not be made.
package enum LuaStateError: Error {
  /// The memory limit, or the process's memory, does not hold the libraries.
  case noMemory
}

extension LuaState {
  /// Runs what finds something out that stays known for the whole process, such as which code of the program calls which:
  /// the script that asks first is not charged for the time. It must run no Lua code, and must be next to nothing when it
  /// runs again: a script can ask as often as it likes.
  package static func withoutCharge<Result>(_ body: () -> Result) -> Result {
    let isLeftOut = wax_lua_begin_uncounted()
    defer { if isLeftOut { wax_lua_end_uncounted() } }
    return body()
  }
}

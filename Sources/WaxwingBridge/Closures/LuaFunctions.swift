// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import Synchronization
package import WaxwingInterception
package import WaxwingLua

/// The Lua functions of one script that Swift holds, and the calls that are in them.
///
/// Closures made of Lua functions may be called, and die, on any thread at any time, also after the
/// script's Lua state has been closed. They touch it only through this object, which outlives it.
/// Unchecked: the lists of `held` are under its lock, the owner is under another.
package final class LuaFunctions: @unchecked Sendable {
  /// A Lua function that Swift holds.
  package struct Held: Sendable {
    /// The place in the patch where the function is written.
    package let origin: LuaFrame
    /// `(Int) -> Bool`: what Swift takes it for.
    package let typeName: String
  }

  /// A call of a Lua function by Swift that has not returned.
  package struct Call: Sendable {
    /// The number of the call, which is unique in the script.
    package let number: Int
    package let thread: UInt64
    /// The time at which the call began, accurate to some milliseconds.
    package let began: CoarseTime
    /// The added method; nil: a closure.
    let method: String?
    /// Whether the call is a `deinit` of an object of the script's classes. Such calls come as long
    /// as there are objects.
    package let isForObject: Bool
    /// Whether the call is the garbage collector, which runs none of the script's code.
    package let isCollection: Bool

    /// A name of the call for people to read.
    package var name: String { method ?? "a Lua function that Swift holds" }
  }

  /// Closed only when the script has ended and no call is in flight.
  private let state: LuaState
  private let owner = Mutex<Weak>(Weak())
  private let sharedOptions: SharedOptions
  package var options: ScriptOptions { sharedOptions.value }
  /// The state that C reads and writes, too.
  let held: UnsafeMutablePointer<wax_call_lua_closure>

  init(_ state: LuaState, _ options: SharedOptions) {
    self.state = state
    sharedOptions = options
    held = .allocate(capacity: 1)
    wax_call_lua_closure_init(held, state.handle, options.value.breadcrumb)
  }

  deinit {
    held.deallocate()
  }

  private struct Weak: Sendable {
    weak var patch: PatchContext?
  }

  /// The script, for calls that may wait; nil: it is gone.
  var patch: PatchContext? {
    get { owner.withLock { $0.patch } }
    set { owner.withLock { $0.patch = newValue } }
  }

  /// Runs `body` under the lock of the functions. Nothing but `body` runs under the lock.
  private func withLock<Result>(
    _ body: (UnsafeMutablePointer<wax_call_lua_closure>) -> Result
  ) -> Result {
    wax_call_lua_closure_lock(held)
    defer { wax_call_lua_closure_unlock(held) }
    return body(held)
  }

  /// How many closures of Lua functions are alive.
  package var count: Int { withLock { $0.pointee.closure_count } }

  /// The calls of Lua functions by Swift, as closures or by name, that have not returned.
  package var calls: [Call] {
    withLock { held in
      var calls: [Call] = []
      for newest in [held.pointee.newest, held.pointee.newest_inside] {
        var next = newest
        while let call = next {
          calls.append(Call(call.pointee))
          next = call.pointee.older
        }
      }
      return calls.sorted { ($0.began, $0.number) < ($1.began, $1.number) }
    }
  }

  /// The threads that are in them, once for each call.
  package var threadsInCalls: [UInt64] { calls.map(\.thread) }

  /// The functions that Swift holds, by where they are written.
  package func descriptions() -> [Held] {
    let held = withLock { held in
      var all: [Held] = []
      var next = held.pointee.newest_closure
      while let closure = next {
        all.append(LuaClosure.describe(closure))
        next = closure.pointee.older
      }
      return all
    }
    return held.sorted {
      ($0.origin.source, $0.origin.line ?? 0) < ($1.origin.source, $1.origin.line ?? 0)
    }
  }

  /// Lets closures answer without Lua from now on. Calls that are in flight go on.
  package func end() {
    withLock { $0.pointee.is_ended = true }
  }

  /// Lets `inCall` run nothing of the script any more.
  package func endForObjects() {
    withLock { $0.pointee.is_over = true }
  }

  /// Runs `body`; for this thread the functions go on although they have ended.
  package func withLateCalls(_ body: () -> Void) {
    let thread = wax_process_current_thread()
    withLock { $0.pointee.exception = thread }
    body()
    withLock { $0.pointee.exception = 0 }
  }

  /// Runs `body` with the state, which stays open meanwhile.
  /// - Parameters:
  ///   - method: The called method; nil for a closure.
  ///   - forObject: Whether it is called for an object of a class of the script, which may live on
  ///     after the script's end.
  /// - Returns: nil if the script has ended.
  package func inCall<Result>(
    of method: String? = nil, forObject: Bool = false, _ body: (LuaState) -> Result
  ) -> Result? {
    withUnsafePointer(to: method) { name in
      var call = wax_call_lua_closure_call()
      call.method = method == nil ? nil : UnsafeRawPointer(name)
      call.is_for_object = forObject
      return withUnsafeMutablePointer(to: &call) { run(body, as: $0) }
    }
  }

  /// Runs `body` as the garbage collector, which goes on while there are objects of the script's
  /// classes.
  package func inCollection<Result>(_ body: (LuaState) -> Result) -> Result? {
    let name: String? = "the garbage collector"
    return withUnsafePointer(to: name) { name in
      var call = wax_call_lua_closure_call()
      call.method = UnsafeRawPointer(name)
      call.is_for_object = true
      call.is_collection = true
      return withUnsafeMutablePointer(to: &call) { run(body, as: $0) }
    }
  }
}

extension LuaFunctions {
  private func run<Result>(
    _ body: (LuaState) -> Result, as call: UnsafeMutablePointer<wax_call_lua_closure_call>
  ) -> Result? {
    guard wax_call_lua_closure_enter(held, call) else { return nil }
    let breadcrumb = wax_process_breadcrumb_enter(options.breadcrumb)
    defer {
      wax_process_breadcrumb_leave(breadcrumb)
      wax_call_lua_closure_leave(held, call)
    }
    return body(state)
  }
}

extension LuaFunctions.Call {
  /// - Parameter call: One in the list, under its lock.
  fileprivate init(_ call: wax_call_lua_closure_call) {
    self.init(
      number: Int(call.number), thread: call.thread, began: CoarseTime(nanoseconds: call.began),
      method: call.method.flatMap { $0.load(as: String?.self) }, isForObject: call.is_for_object,
      isCollection: call.is_collection)
  }
}

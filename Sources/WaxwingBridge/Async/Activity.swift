// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingProcess
internal import WaxwingInterception
internal import WaxwingLua

/// A call of a Lua function that may wait. It runs in turns, on whatever threads, one after the other;
/// between them it holds neither a thread nor the state.
/// Unchecked: used by its turns, one after the other; `Activities` guards what others write.
package class Activity: @unchecked Sendable {
  enum Turn {
    /// The activity goes on after this suspension.
    case waits(UnsafePointer<Suspension>)
    case over
  }

  let patch: PatchContext
  private var coroutine: LuaCoroutine?
  /// The wait that the activity is in; nil if it does not wait.
  private(set) var wait: Wait?
  /// The call of an override that it is, or is a part of.
  private let active: UnsafeMutablePointer<ActiveCall>?

  /// The function has ended.
  private var isOver = false

  // Guarded by the script's `Activities`.
  var isAbandoned = false
  var number = 0
  var ends = 0  // of the script, before it began

  /// - Parameter active: Outlives this.
  init(in patch: PatchContext, _ active: UnsafeMutablePointer<ActiveCall>?) {
    self.patch = patch
    self.active = active
  }

  /// A name for reports: the overridden function, or the place of a task's function.
  var name: String { "" }

  /// Pushes the arguments of the first turn, after the function is known. The state is entered.
  /// - Returns: The function.
  func begin(_ coroutine: LuaCoroutine) -> Int32 { 0 }

  /// Takes what the function has returned, or why it failed. The state is entered; the coroutine is nil if
  /// there was no memory for it.
  func conclude(_ coroutine: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {}

  /// The script has ended before Lua could go on, or its state was given up: it must not be touched.
  func conclude(abandoned wait: Wait?) {}

  /// Runs Lua code until it waits or has ended.
  final func turn() -> Turn {
    while !isOver {
      if let next = wait?.advance() { return .waits(next) }
      guard patch.activities.resume(self) else {
        conclude(abandoned: wait)
        wait = nil
        return .over
      }
      isOver = runTurn()
      patch.activities.pause(self, isOver: isOver)
    }
    return .over
  }

  /// Adopts a call whose first turn has run in this coroutine and which waits. The state is
  /// entered.
  final func adopt(_ coroutine: LuaCoroutine, _ waits: UnsafeMutablePointer<wax_lua_callback>) {
    self.coroutine = coroutine
    wait = patch.waits[waits]
  }

  /// Adopts a call whose first turn has run in this coroutine and was its last. The state is
  /// entered.
  final func adopt(_ coroutine: LuaCoroutine, _ outcome: () throws(LuaFailure) -> Int) {
    isOver = true
    do throws(LuaFailure) {
      conclude(coroutine, .success(try outcome()))
    } catch {
      conclude(coroutine, .failure(error))
    }
    coroutine.release()
  }

  /// Adds the activity to the list after `adopt`, with the state left.
  final func enlist() {
    if !isOver { patch.activities.adopt(self) }
  }

  /// Lets it end without going on in Lua.
  /// - Parameter ended: Called with the state entered; not if the script has ended, and its state must not
  ///   be touched.
  final func drop(_ ended: () -> Void) {
    guard patch.activities.resume(self) else { return }
    defer { patch.activities.pause(self, isOver: true) }
    guard wax_lua_enter_unless_abandoned(patch.state.handle) else { return }
    defer { wax_lua_leave(patch.state.handle) }
    if let coroutine { coroutine.drop() }
    if let wait { patch.waits.end(wait) }
    (coroutine, wait) = (nil, nil)
    ended()
  }

  /// - Returns: Whether the function has ended.
  private func runTurn() -> Bool {
    let state: LuaState = patch.state
    guard wax_lua_enter_unless_abandoned(state.handle) else {
      conclude(abandoned: wait)
      wait = nil
      return true
    }
    let outer = wax_lua_active_call()
    wax_lua_set_active_call(active)
    let breadcrumb = wax_process_breadcrumb_enter(patch.options.breadcrumb)
    defer {
      wax_process_breadcrumb_leave(breadcrumb)
      wax_lua_set_active_call(outer)
      wax_lua_leave(state.handle)
    }
    let ended = wait
    defer { withExtendedLifetime(ended) {} }
    wait = nil
    do throws(LuaFailure) {
      let turn: LuaCoroutine.Turn
      if let coroutine {
        ended?.handOver()
        if active?.pointee.isEnding == true { wax_lua_stop_waiting(coroutine.raw) }
        turn = try coroutine.resume()
      } else {
        guard let made = LuaCoroutine(state) else {
          conclude(nil, .failure(.noMemory))
          return true
        }
        coroutine = made
        turn = try made.start(begin(made))
      }
      switch turn {
      case .done(let count): conclude(coroutine, .success(count))
      case .waits(let callback):
        wait = patch.waits[callback]
        return false
      }
    } catch {
      conclude(coroutine, .failure(error))
    }
    coroutine?.release()
    coroutine = nil
    return true
  }
}

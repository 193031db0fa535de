// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime
internal import Synchronization
package import WaxwingInterception
package import WaxwingLua

/// The Lua functions of one script that Swift holds, and the calls that are in them.
///
/// Closures made of Lua functions may be called, and die, on any thread at any time, also after the
/// script's Lua state has been closed. They touch it only through this object, which outlives it.
package final class LuaFunctions: @unchecked Sendable {
  /// A Lua function that Swift holds.
  package struct Held: Sendable {
    /// Where it is written.
    package let origin: LuaFrame
    /// `(Int) -> Bool`: what Swift takes it for.
    package let typeName: String
  }

  /// A call of a Lua function by Swift that has not returned.
  package struct Call: Sendable {
    /// No two calls of a script have the same.
    package let number: Int
    package let thread: UInt64
    /// When it began, to some milliseconds.
    package let began: CoarseTime
    /// The added method; nil: a closure.
    package let method: String?
    /// It is a `deinit` of an object of the script's classes: these come while there are objects.
    package let isForObject: Bool

    /// For people to read.
    package var name: String { method ?? "a Lua function that Swift holds" }
  }

  private struct Contents {
    var isEnded = false
    /// Nothing goes on for objects of the script's classes either.
    var isOver = false
    /// The thread for which the functions go on after the end; 0: there is none.
    var exception: UInt64 = 0
    /// Closures that are alive. Not retained: each takes itself out when it dies.
    var closures: Set<UInt> = []
    var calls: [Call] = []
    var callsMade = 0
  }

  /// Closed only when the script has ended and no call is in flight.
  private let state: LuaState
  private let owner = Mutex<Weak>(Weak())
  let options: ScriptOptions
  // No Swift value dies under it.
  private let contents = Mutex(Contents())

  init(_ state: LuaState, _ options: ScriptOptions) {
    self.state = state
    self.options = options
  }

  private struct Weak: Sendable {
    weak var runtime: ScriptRuntime?
  }

  /// The script, for calls that may wait; nil: it is gone.
  var runtime: ScriptRuntime? {
    get { owner.withLock { $0.runtime } }
    set { owner.withLock { $0.runtime = newValue } }
  }

  /// How many closures of Lua functions are alive.
  package var count: Int { contents.withLock { $0.closures.count } }

  /// The calls of Lua functions by Swift, as closures or by name, that have not returned.
  package var calls: [Call] { contents.withLock { $0.calls } }

  /// The threads that are in them, once for each call.
  package var threadsInCalls: [UInt64] { calls.map(\.thread) }

  /// The functions that Swift holds, by where they are written.
  package func held() -> [Held] {
    let held = contents.withLock { $0.closures.map(LuaClosure.describe) }
    return held.sorted {
      ($0.origin.source, $0.origin.line ?? 0) < ($1.origin.source, $1.origin.line ?? 0)
    }
  }

  /// From here on closures answer without Lua. Calls that are in flight go on.
  package func end() {
    contents.withLock { $0.isEnded = true }
  }

  /// From here on nothing of the script is run by `inCall` any more.
  func endForObjects() {
    contents.withLock { $0.isOver = true }
  }

  /// Runs `body`; for this thread the functions go on although they have ended.
  func withLateCalls(_ body: () -> Void) {
    let thread = waxwing_current_thread()
    contents.withLock { $0.exception = thread }
    body()
    contents.withLock { $0.exception = 0 }
  }

  private static func address(of closure: LuaClosure) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(closure).toOpaque())
  }

  func add(_ closure: LuaClosure) {
    if waxwing_is_forked_child() { return }
    let address = Self.address(of: closure)
    contents.withLock { _ = $0.closures.insert(address) }
  }

  /// The closure dies; its function is dropped when the state is entered next.
  func remove(_ closure: LuaClosure) {
    if waxwing_is_forked_child() { return }
    let reference = closure.reference
    let address = Self.address(of: closure)
    contents.withLock { contents in
      contents.closures.remove(address)
      if !contents.isEnded { waxwing_return_reference(state.handle, reference) }
    }
  }

  /// Runs `body` with the state, which stays open meanwhile.
  /// - Parameters:
  ///   - method: What is called; nil: a closure.
  ///   - forObject: It is called for an object of a class of the script's: these may go on after its end.
  /// - Returns: nil if the script has ended.
  package func inCall<Result>(
    of method: String? = nil, forObject: Bool = false, _ body: (LuaState) -> Result
  ) -> Result? {
    if waxwing_is_forked_child() { return nil }
    let thread = waxwing_current_thread()
    let isOpen = contents.withLock { contents in
      let isOpen =
        !contents.isEnded || contents.exception == thread || forObject && !contents.isOver
      guard isOpen else { return false }
      contents.callsMade += 1
      contents.calls.append(
        Call(
          number: contents.callsMade, thread: thread, began: .now, method: method,
          isForObject: forObject))
      return true
    }
    guard isOpen else { return nil }
    let crumb = waxwing_crumb_enter(options.crumb)
    defer {
      waxwing_crumb_leave(crumb)
      contents.withLock { contents in
        // A thread leaves its calls innermost first.
        guard let index = contents.calls.lastIndex(where: { $0.thread == thread }) else { return }
        contents.calls.remove(at: index)
      }
    }
    return body(state)
  }
}

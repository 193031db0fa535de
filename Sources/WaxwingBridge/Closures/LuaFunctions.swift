// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime
internal import Synchronization
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

  private struct Contents {
    var isEnded = false
    /// Closures that are alive. Not retained: each takes itself out when it dies.
    var closures: Set<UInt> = []
    /// Threads that are in a Lua function, once for each call.
    var threads: [UInt64] = []
  }

  /// Closed only when the script has ended and no call is in flight.
  private let state: LuaState
  let options: ScriptOptions
  // No Swift value dies under it.
  private let contents = Mutex(Contents())

  init(_ state: LuaState, _ options: ScriptOptions) {
    self.state = state
    self.options = options
  }

  /// How many closures of Lua functions are alive.
  package var count: Int { contents.withLock { $0.closures.count } }

  /// The threads that are in a Lua function which Swift called as a closure.
  package var threadsInCalls: [UInt64] { contents.withLock { $0.threads } }

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

  private static func address(of closure: LuaClosure) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(closure).toOpaque())
  }

  func add(_ closure: LuaClosure) {
    let address = Self.address(of: closure)
    contents.withLock { _ = $0.closures.insert(address) }
  }

  /// The closure dies; its function is dropped when the state is entered next.
  func remove(_ closure: LuaClosure) {
    let reference = closure.reference
    let address = Self.address(of: closure)
    contents.withLock { contents in
      contents.closures.remove(address)
      if !contents.isEnded { waxwing_return_reference(state.handle, reference) }
    }
  }

  /// Runs `body` with the state, which stays open meanwhile.
  /// - Returns: nil if the script has ended.
  func inCall<Result>(_ body: (LuaState) -> Result) -> Result? {
    let thread = waxwing_current_thread()
    let isOpen = contents.withLock { contents in
      if !contents.isEnded { contents.threads.append(thread) }
      return !contents.isEnded
    }
    guard isOpen else { return nil }
    defer {
      contents.withLock { contents in
        guard let index = contents.threads.lastIndex(of: thread) else { return }
        contents.threads.swapAt(index, contents.threads.count - 1)
        contents.threads.removeLast()
      }
    }
    return body(state)
  }
}

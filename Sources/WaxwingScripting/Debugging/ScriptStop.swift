// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// A call that is about to stop for a debugger.
package struct ScriptStop: Sendable {
  package enum Reason: Sendable, Equatable {
    /// The breakpoint of this number.
    case breakpoint(Int)
    case step
    case pause
    /// An error leaves the script's code.
    case fault
  }

  /// The number of the stop, which is unique.
  package let number: UInt64
  /// The call's number, which it keeps until it ends; 0: it has none yet.
  package var call: UInt64
  /// The kernel's id of the thread.
  package let thread: UInt64
  package let reason: Reason
  /// The file, as the script's sources are named.
  package let file: String
  package let line: Int

  init(_ raw: wax_lua_stop) {
    number = raw.number
    call = raw.call
    thread = raw.thread
    reason =
      switch raw.reason {
      case WAX_LUA_STOP_BREAKPOINT: .breakpoint(Int(raw.breakpoint))
      case WAX_LUA_STOP_STEP: .step
      case WAX_LUA_STOP_PAUSE: .pause
      default: .fault
      }
    file = raw.source.map { String(cString: $0) } ?? ""
    line = Int(raw.line)
  }
}

/// How a call goes on that has stopped.
package enum ScriptStep: Sendable {
  case goOn
  case into
  case over
  case out

  var raw: wax_lua_debug_step {
    switch self {
    case .goOn: WAX_LUA_DEBUG_CONTINUE
    case .into: WAX_LUA_DEBUG_STEP_IN
    case .over: WAX_LUA_DEBUG_STEP_OVER
    case .out: WAX_LUA_DEBUG_STEP_OUT
    }
  }
}

/// A line at which calls stop.
package struct ScriptBreakpoint: Sendable {
  let number: Int
  let file: String
  let line: Int

  package init(number: Int, file: String, line: Int) {
    self.number = number
    self.file = file
    self.line = line
  }
}

/// Decides where calls stop, and for how long.
package protocol ScriptDebuggerClient: AnyObject, Sendable {
  /// Whether a call is to stop, which is given its number. On its thread, with the state entered.
  func stops(_ stop: inout ScriptStop, in debugger: ScriptDebugger) -> Bool

  /// Waits until a call that has stopped is to go on. On its thread, with the state left.
  func wait(atStop number: UInt64) -> ScriptStep
}

// SPDX-License-Identifier: MIT

import Glibc

/// How the program of a shell has ended.
struct ProgramEnd {
  enum Cause: Equatable {
    case exited(_ code: Int32)
    case signal(_ number: Int32)
    /// The program was interrupted and did not stop in time.
    case interrupted
  }

  let cause: Cause
  /// The function that Lua code had called.
  let function: String?
  /// The functions that were running, innermost first.
  let frames: [String]
  /// The last line on standard error.
  let message: String?

  /// The event in a sentence without a period.
  var text: String {
    let place = function.map { " in `\($0)`" } ?? ""
    switch cause {
    case .exited(let code): return "the program has ended with exit code \(code)"
    case .signal(let number):
      let name = Self.name(of: number)
      // What explains the signal is a clause of its own.
      let comma = function != nil && name.contains(",") ? "," : ""
      return "the program was ended by \(name)\(comma)\(place)"
        + (message.map { ": \($0)" } ?? "")
    case .interrupted:
      return "interrupted\(place), which did not stop: the program was ended"
    }
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGILL: "SIGILL, a trap of Swift's"
    case SIGTRAP: "SIGTRAP, a trap"
    case SIGSEGV: "SIGSEGV, an access to memory that is not there"
    case SIGBUS: "SIGBUS, an access to memory that is not there"
    case SIGABRT: "SIGABRT"
    case SIGFPE: "SIGFPE, a wrong calculation"
    case SIGKILL: "SIGKILL, from outside or for want of memory"
    case SIGTERM: "SIGTERM, from outside"
    default: "signal \(signal)"
    }
  }
}

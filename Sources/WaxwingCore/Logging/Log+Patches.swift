// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingLua
import WaxwingValues

extension Log {
  /// Runs `body`, which writes a line of a patch's, unless there are too many.
  func write(patch: String, _ limiter: LogLimiter, _ body: (Log) -> Void) {
    guard case .write(let dropped) = limiter.admit() else { return countDropped() }
    if dropped > 0 {
      write(
        .warning, "log.dropped", "\(dropped) lines of the patch were dropped: it logs too many",
        [("patch", patch)])
    }
    body(self)
  }

  /// Writes a message of a script.
  func write(_ line: LogLine, patch: String) {
    let level: LogEvent.Level =
      switch line.level {
      case .debug: .debug
      case .info, .print: .info
      case .warn: .warning
      case .error: .error
      }
    let place = line.position.map { "\($0.source):\($0.line ?? 0)" } ?? patch
    let own: [(name: String, value: any LogValue)] = [("patch", patch), ("at", place)]
    write(level, "patch.log", line.message, own + line.fields.map { ($0.name, $0.value) })
  }

  /// A Lua function failed that is no override: a closure, or a callback.
  func write(_ event: String, _ fault: OverrideFault, patch: String) {
    let place = fault.position.map { "\($0.source):\($0.line ?? 0)" } ?? patch
    write(
      .error, event, fault.messageWithoutPosition,
      [("patch", patch), ("at", place), ("function", fault.function)])
  }

  /// Writes that an override has failed.
  func write(_ fault: OverrideFault, of override: Override, patch: String) {
    write(
      .error, "override.failed", fault.message,
      [("patch", patch), ("function", override.qualifiedName), ("errors", override.faults)])
  }

  /// An override has failed too often.
  func write(switchedOff override: Override, _ reason: String, patch: String) {
    write(
      .error, "override.switched_off",
      "after \(reason), calls go to the original; apply a better version, or revert the patch",
      [("patch", patch), ("function", override.qualifiedName)])
  }

  /// A call went past an override.
  func write(_ reason: Override.Bypass, of override: Override, patch: String) {
    write(
      .warning, "override.bypassed", "\(reason.text): such calls go to the original",
      [("patch", patch), ("function", override.qualifiedName)])
  }

  /// A call did not run an original that perhaps takes over its `self`.
  func write(keptSelfOf override: Override, patch: String) {
    let selector = override.selector
    write(
      .warning, "override.kept_self",
      "nothing tells whether the function is `consuming`: if it is, each call that does not call the original leaks "
        + "its `self`; say so, [\"borrowing \(selector)\"] or [\"consuming \(selector)\"], or make a facts file with "
        + "`waxwing facts` where the program is built",
      [("patch", patch), ("function", override.qualifiedName)])
  }

  /// Functions of an ended patch that the program may still call.
  func write(_ functions: [HeldFunction]) {
    for function in functions {
      write(
        .info, "closure.held",
        "the program still holds a Lua function, which no longer does anything",
        [
          ("patch", function.patch), ("at", "\(function.file):\(function.line)"),
          ("type", function.type),
        ])
    }
  }
}

extension LogLine.Value: LogValue {
  package var logged: LogEvent.Value {
    switch self {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .boolean(let flag): .boolean(flag)
    }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingScripting
import WaxwingSystem

/// The state of one debugger that is attached to a patch. Guarded by `Debugger`.
struct DebugSession: Sendable {
  /// A call that has stopped.
  struct Stop: Sendable {
    let event: DebugEvent
    let script: ScriptRuntime
    let debugger: ScriptDebugger
    /// Whether the stop keeps one of the few threads that tasks have.
    let isInTask: Bool
    /// The step with which the call is to go on; nil if there is no command yet.
    var step: ScriptStep?
  }

  /// A line at which calls stop, and how often they have come there.
  struct Breakpoint: Sendable {
    let request: DebugBreakpoint
    var hits = 0
    var hasFailed = false
  }

  let number: Int
  let session: Session
  let patch: AuditRecord.Patch
  let files: [String: [UInt8]]
  let scripts: [ScriptRuntime]
  let debuggers: [ScriptDebugger]
  let peer: ControlPeer
  /// Seconds that a call stops at most.
  let limit: Double
  /// Seconds after which it is detached that it asks for nothing.
  let patience: Double
  var asked = Deadline.now
  /// Requests that are being answered.
  var requests = 0
  var breakpoints: [Int: Breakpoint] = [:]
  private(set) var events: [DebugEvent] = []
  var stops: [UInt64: Stop] = [:]

  /// Events that are kept until they are asked for, without those that tell of stops.
  private static let mostEvents = 500

  mutating func add(_ event: DebugEvent) {
    if event.kind == .output, events.count >= Self.mostEvents { return }
    events.append(event)
  }

  mutating func takeEvents() -> [DebugEvent] {
    defer { events = [] }
    return events
  }
}

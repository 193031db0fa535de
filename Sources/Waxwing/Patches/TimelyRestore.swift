// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingOperations
import WaxwingSystem

/// Restoring while an operation is going on that does not end: the script of a patch that loads has
/// called a function of the program's that waits for ever, or one of its callbacks has.
final class TimelyRestore: Sendable {
  private let engine: Engine
  private let patches: PatchOperations
  private let audit: AuditTrail
  private let debugger: Debugger
  private let restores = PendingRestores()

  init(
    _ engine: Engine, _ patches: PatchOperations, _ audit: AuditTrail, _ debugger: Debugger
  ) {
    self.engine = engine
    self.patches = patches
    self.audit = audit
    self.debugger = debugger
  }

  /// Restores the program. If there is no turn for that in time, gives the program its own code back at
  /// once; the rest is done when the operation that is in the way has ended.
  func restore(
    waitAtMost duration: Duration, now: Bool = false, by actor: AuditRecord.Actor
  ) throws -> Restoration {
    debugger.endAll()
    let result = Monitor<Result<Restoration, any Error>?>(nil)
    if restores.begin() {
      try begin(waitAtMost: duration, now, by: actor, result)
      let deadline = Deadline.after(seconds: (duration + Self.grace) / .seconds(1))
      if let result = result.wait(until: deadline, { $0 }) { return try result.get() }
    }
    return switchAllOff(by: actor)
  }

  /// The time that a restoration may take besides waiting for calls.
  private static let grace = Duration.seconds(5)

  private func begin(
    waitAtMost duration: Duration, _ now: Bool, by actor: AuditRecord.Actor,
    _ result: Monitor<Result<Restoration, any Error>?>
  ) throws {
    let body: @Sendable () -> Void = { [self] in
      let outcome = Result { try patches.restore(waitAtMost: duration, now: now, by: actor) }
      restores.end()
      result.withLock { $0 = outcome }
    }
    do throws(ThreadError) {
      try EngineThread.start(name: "waxwing-restore", stackSize: 8 << 20, body: body)
    } catch {
      body()  // no thread to be had: then it has to wait itself
    }
  }

  private func switchAllOff(by actor: AuditRecord.Actor) -> Restoration {
    let names = engine.registry.switchAllOff()
    let reason = engine.currentOperation ?? "another operation has just ended"
    let sentence = "the program runs its own code; ending the patches is postponed: \(reason)"
    engine.log.write(
      .error, "restore.stalled", sentence, [("patches", names.joined(separator: ", "))])
    audit.note(
      AuditRecord(
        "restore", "partial", by: actor, patches: names.map { AuditRecord.Patch(name: $0) },
        generation: engine.sessions.generation, reason: sentence))
    var restoration = Restoration(
      endedPatches: names, entriesVerified: 0, differences: [], laggards: [])
    restoration.postponed = reason
    return restoration
  }
}

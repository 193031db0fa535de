// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingScripting

/// Objects of classes that patches have made, and that are alive when the patch ends: they go on with
/// the patch's code, in its Lua state, until the last of them is gone.
///
/// The program's own entries hold their baseline words meanwhile: such objects are reached by the
/// vtables of their classes, which are not the program's. Where code of the program calls a method of
/// theirs directly, the superclass's answers.
final class LingeringObjects: Sendable {
  private let log: Log
  private let registry: OverrideRegistry
  private let sessions: PatchSessions
  private let collector: IdleCollector

  init(
    _ log: Log, _ registry: OverrideRegistry, _ sessions: PatchSessions, _ collector: IdleCollector
  ) {
    self.log = log
    self.registry = registry
    self.sessions = sessions
    self.collector = collector
  }

  /// Prepares sessions that are about to end and have classes, unless a session that begins has the
  /// same classes.
  ///
  /// Those without objects too: calls that are under way may make some, and give them to the program.
  func prepare(_ ending: [PatchSession], replacedBy taken: Set<ObjectIdentifier>) {
    for session in ending {
      let own = session.runtime.classes.made.filter { !taken.contains(ObjectIdentifier($0)) }
      if own.isEmpty { continue }
      // What nobody reaches any more is gone then.
      if own.contains(where: { $0.liveObjects > 0 }) {
        _ = session.runtime.state.collect(waitAtMost: 100)
      }
      do throws(InterceptionError) {
        try registry.prepareLingering(of: session.number, for: own)
        session.lingeringClasses = Set(own.map(ObjectIdentifier.init))
      } catch {
        log.write(
          .warning, "objects.released",
          "objects of \(session.name) now answer as their superclasses do: \(error.message)"
        )
      }
    }
    for session in sessions.all where isPartOf(session, taken) {
      do throws(InterceptionError) {
        try registry.copyLingering(of: session.number, for: taken)
      } catch {
        log.write(
          .warning, "objects.released",
          "objects of \(session.name) now have fewer superclasses: \(error.message)")
      }
    }
  }

  /// Whether some of the classes whose objects go on with a session are others' from now on, and not all.
  private func isPartOf(_ session: PatchSession, _ taken: Set<ObjectIdentifier>) -> Bool {
    session.lingers && !session.lingeringClasses.isDisjoint(with: taken)
      && !session.lingeringClasses.isSubset(of: taken)
  }

  /// Settles the classes of sessions after they have ended, or after others have begun that have
  /// the same classes.
  func settle(_ ending: [PatchSession], replacedBy taken: Set<ObjectIdentifier>) {
    for session in ending where session.lingers {
      registry.settleLingering(of: session.number)
    }
    for session in sessions.all where !session.lingeringClasses.isDisjoint(with: taken) {
      if session.lingeringClasses.isSubset(of: taken) {
        end(session)
      } else {
        session.lingeringClasses.subtract(taken)
        registry.endLingering(of: session.number, for: taken)
      }
    }
  }

  /// Lets the objects that are alive answer as their superclasses do.
  func end(_ session: PatchSession) {
    guard session.lingers else { return }
    session.lingeringClasses = []
    registry.endLingering(of: session.number)
    _ = session.runtime.endActivities(atMost: .zero)
    session.runtime.classes.end()
    collector.forget(session)
    if session.state == .lingering { session.state = .draining }
  }

  /// Whether objects of the session's go on with its code, or calls are still in it. When the last object
  /// has gone, and no call is under way that could make another, they do not go on.
  func isLingering(_ session: PatchSession) -> Bool {
    guard session.lingers else { return !registry.isLingeringIdle(session.number) }
    // In this order: what a call has made is there before the call is over.
    let canBeMade = isCalled(session)
    let areHeld = session.runtime.classes.hasHeldObjects(of: session.lingeringClasses)
    if !areHeld, !canBeMade { end(session) }
    if session.lingers { session.state = areHeld ? .lingering : .draining }
    return session.lingers || !registry.isLingeringIdle(session.number)
  }

  /// Whether a call is in the session, or in an older version of the patch: both make objects of its
  /// classes.
  private func isCalled(_ session: PatchSession) -> Bool {
    let own = Set(session.runtime.classes.made.map(ObjectIdentifier.init))
    return sessions.all.contains { other in
      guard
        other === session || other.runtime.classes.made.contains(where: { own.contains(.init($0)) })
      else { return false }
      return !other.gate.callsInFlight().isEmpty || !registry.isLingeringIdle(other.number)
        || other.runtime.all.contains { !$0.functions.calls.isEmpty }
    }
  }
}

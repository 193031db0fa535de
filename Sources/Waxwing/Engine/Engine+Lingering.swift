// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua

/// Objects of classes that patches have made, and that are alive when the patch ends: they go on with
/// the patch's code, in its Lua state, until the last of them is gone.
///
/// The program's own entries hold their baseline words meanwhile: such objects are reached by the
/// vtables of their classes, which are not the program's. Where code of the program calls a method of
/// theirs directly, the superclass's answers.
extension Engine {
  /// Before sessions end: prepares those that objects are alive of, unless a session that begins has the
  /// same classes.
  func prepareLingering(_ ending: [PatchSession], replacedBy fresh: [PatchSession]) {
    let taken = Set(fresh.flatMap(\.runtime.madeClasses).map(ObjectIdentifier.init))
    for session in ending {
      let classes = session.runtime.madeClasses.filter { $0.liveObjects > 0 }
      guard classes.contains(where: { !taken.contains(ObjectIdentifier($0)) }) else { continue }
      // What nobody reaches any more is gone then.
      _ = session.runtime.state.collect(waitAtMost: 100)
      guard !session.runtime.heldObjects.isEmpty else { continue }
      do throws(InterceptionError) {
        let own = Set(session.runtime.madeClasses.map(ObjectIdentifier.init)).subtracting(taken)
        try registry.prepareLingering(of: session.number, for: own)
        session.lingers = true
      } catch {
        log.write(
          .warning, "objects.released",
          "objects of \(session.name) answer as their superclasses do from now on: \(error.message)"
        )
      }
    }
  }

  /// After sessions have ended, or others have begun that have the same classes.
  func settleLingering(_ ending: [PatchSession], replacedBy fresh: [PatchSession]) {
    for session in ending where session.lingers {
      registry.settleLingering(of: session.number)
    }
    let taken = Set(fresh.flatMap(\.runtime.madeClasses).map(ObjectIdentifier.init))
    for session in sessions
    where session.lingers && !ending.contains(where: { $0 === session })
      && session.runtime.madeClasses.contains(where: { taken.contains(ObjectIdentifier($0)) })
    {
      let classes = session.runtime.madeClasses.filter { $0.liveObjects > 0 }
      if classes.allSatisfy({ taken.contains(ObjectIdentifier($0)) }) {
        endLingering(session)
      } else {
        registry.endLingering(of: session.number, for: taken)
      }
    }
  }

  /// Lets the objects that are alive answer as their superclasses do.
  func endLingering(_ session: PatchSession) {
    guard session.lingers else { return }
    session.lingers = false
    registry.endLingering(of: session.number)
    _ = session.runtime.endActivities(atMost: .zero)
    session.runtime.endClasses()
    collector.forget(session)
    if session.state == .lingering { session.state = .draining }
  }

  /// Whether objects of the session's go on with its code. When the last has gone they do not.
  func isLingering(_ session: PatchSession) -> Bool {
    guard session.lingers else { return false }
    if session.runtime.heldObjects.isEmpty { endLingering(session) }
    return session.lingers || !registry.isLingeringIdle(session.number)
  }
}

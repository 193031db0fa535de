// SPDX-License-Identifier: MIT

import Synchronization

/// Observes what happens to patches. The engine knows nothing else of the layers above it.
///
/// Calls come from the thread that is in an operation of the engine, unless it says otherwise.
package protocol EngineObserver: AnyObject, Sendable {
  /// New calls go into the session's overrides.
  func sessionIsLive(_ session: PatchSession)

  /// No new call enters the session; calls that are in it go on.
  func sessionHasEnded(_ session: PatchSession)

  /// The session has ended, and its last call has left: its Lua state is closed next.
  func sessionCloses(_ session: PatchSession)

  /// Other limits hold from now on. Called on any thread.
  func limitsHaveChanged(_ limits: Policy.Limits)

  /// A patch was refused because of its signature. On any thread.
  func signatureWasRefused()
}

extension EngineObserver {
  package func sessionIsLive(_ session: PatchSession) {}
  package func sessionHasEnded(_ session: PatchSession) {}
  package func sessionCloses(_ session: PatchSession) {}
  package func limitsHaveChanged(_ limits: Policy.Limits) {}
  package func signatureWasRefused() {}
}

/// All observers, in the order in which they came. They stay for as long as the engine.
package final class EngineObservers: Sendable {
  private let observers = Mutex<[any EngineObserver]>([])

  func add(_ observer: any EngineObserver) { observers.withLock { $0.append(observer) } }

  // Observers are called without the lock: they may do anything.
  private var all: [any EngineObserver] { observers.withLock { $0 } }

  func sessionIsLive(_ session: PatchSession) { for each in all { each.sessionIsLive(session) } }

  func sessionHasEnded(_ session: PatchSession) {
    for each in all { each.sessionHasEnded(session) }
  }

  func sessionCloses(_ session: PatchSession) { for each in all { each.sessionCloses(session) } }

  func limitsHaveChanged(_ limits: Policy.Limits) {
    for each in all { each.limitsHaveChanged(limits) }
  }

  func signatureWasRefused() { for each in all { each.signatureWasRefused() } }
}

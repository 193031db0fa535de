// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingPatches
import WaxwingScripting

/// Lets sessions go live and others end in one moment. Only for the thread that is in an operation of the engine.
final class SessionSwitching: Sendable {
  private let log: Log
  private let observers: EngineObservers
  private let sessions: PatchSessions
  private let registry: OverrideRegistry
  private let methods: MethodRegistry
  private let collector: IdleCollector
  private let lingering: LingeringObjects
  private let loader: PatchLoader

  init(
    log: Log, observers: EngineObservers, sessions: PatchSessions, registry: OverrideRegistry,
    methods: MethodRegistry, collector: IdleCollector, lingering: LingeringObjects,
    loader: PatchLoader
  ) {
    self.log = log
    self.observers = observers
    self.sessions = sessions
    self.registry = registry
    self.methods = methods
    self.collector = collector
    self.lingering = lingering
    self.loader = loader
  }

  /// Switches the program over in a single moment.
  /// - Returns: False if all was switched off since `shutdowns` was read: nothing has changed.
  @discardableResult
  func switchOver(
    to fresh: [PatchSession], ending: [PatchSession], since shutdowns: Int? = nil,
    objectsGoOn: Bool = true
  ) -> Bool {
    for session in ending.reversed() { session.runtime.callbacks.runAll(.ending) }
    let taken = Set(fresh.flatMap(\.runtime.classes.made).map(ObjectIdentifier.init))
    if objectsGoOn { lingering.prepare(ending, replacedBy: taken) }
    for session in fresh {
      registry.keepVtables(of: session.number, for: session.runtime.classes.made)
    }
    let (starting, over) = (fresh.map(\.number), ending.map(\.number))
    // A crash from the first call on finds it.
    for session in fresh { wax_process_breadcrumbs_set_live(session.hash.prefix, true) }
    guard registry.flip(on: starting, off: over, taking: taken, unlessAfter: shutdowns) else {
      for session in fresh { wax_process_breadcrumbs_set_live(session.hash.prefix, false) }
      return false
    }
    let goOn = Set(fresh.map(\.hash))
    for session in ending where !goOn.contains(session.hash) {
      wax_process_breadcrumbs_set_live(session.hash.prefix, false)
    }
    if !fresh.isEmpty || !ending.isEmpty { sessions.countGeneration() }
    methods.replace(ending, with: fresh)
    for session in ending { loader.stopWaiting(session) }
    for session in fresh {
      session.runtime.classes.begin()
      session.appliedAt = time(nil)
      observers.sessionIsLive(session)
      collector.watch(session)
    }
    for session in ending {
      if !session.lingers { session.runtime.classes.end() }
      session.state = session.lingers ? .lingering : .draining
      if !session.lingers { collector.forget(session) }
      session.endedAt = .now
      observers.sessionHasEnded(session)
    }
    lingering.settle(ending, replacedBy: taken)
    sessions.add(fresh)
    return true
  }

  /// Runs the callbacks of sessions that are live now, and says that they are.
  func announce(_ fresh: [PatchSession]) {
    for session in fresh {
      let breadcrumb = wax_process_breadcrumb_enter(session.hash.prefix)
      session.runtime.callbacks.runAll(.started)
      wax_process_breadcrumb_leave(breadcrumb)
    }
    for session in fresh {
      log.write(
        .info, "patch.applied", "\(session.name) is live",
        [("version", session.manifest.version), ("overrides", session.overrides.count)]
          + session.origin.fields)
    }
  }
}

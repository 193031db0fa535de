// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingDeclarations
import WaxwingLua
import WaxwingPatches
import WaxwingReflection

/// The engine of this process: which patches are live, and how they come and go. There is one,
/// because the program's replacement entries exist once.
///
/// It puts together what does the work, and lets operations take turns. What is done about patches
/// besides, such as keeping them or recording them, is built on it: see ``EngineObserver`` and
/// ``ApplyParticipant``.
package final class Engine: Sendable {
  package static let shared = Engine()

  package let log = Log()
  package let patchability: Patchability
  package let settings = EngineSettings()
  let observers = EngineObservers()
  package let program: ProgramReader
  package let sessions = PatchSessions()
  package let registry = OverrideRegistry()
  package let methods = MethodRegistry()
  package let messages = OutgoingMessages()
  package let admission: PatchAdmission
  package let lifecycle: PatchLifecycle
  package let inspection: PatchInspection
  private let collector: IdleCollector
  private let operations = OperationLock()

  /// Creates an engine. There is one, `shared`, except in tests of programs that cannot be patched.
  package init(_ patchability: Patchability = .shared) {
    self.patchability = patchability
    program = ProgramReader(log)
    collector = IdleCollector(log)
    inspection = PatchInspection(sessions, registry, collector)
    admission = PatchAdmission(settings, sessions, observers)
    let lingering = LingeringObjects(log, registry, sessions, collector)
    let loader = PatchLoader(
      log: log, settings: settings, program: program, sessions: sessions, registry: registry,
      messages: messages)
    lifecycle = PatchLifecycle(
      program: program, sessions: sessions, registry: registry, admission: admission,
      checks: PatchChecks(patchability, settings, program, sessions, admission), loader: loader,
      switching: SessionSwitching(
        log: log, observers: observers, sessions: sessions, registry: registry, methods: methods,
        collector: collector, lingering: lingering, loader: loader),
      lingering: lingering,
      draining: SessionDraining(log, registry, methods, sessions, lingering, observers))
    hold(to: settings.policy.limits)
  }

  /// The host's policy: the program's, combined with the operator's file.
  package var policy: Policy { settings.policy }

  /// The operator's file.
  package var host: HostConfiguration { settings.host }

  /// Takes on what the program says, what the operator's file says, or both; nil: as before.
  package func use(_ policy: Policy? = nil, host: HostConfiguration? = nil) {
    settings.use(policy, host)
    hold(to: settings.policy.limits)
    MaskedNames.use(settings.policy.maskedNames)
    FieldVisibility.use(areHidden: settings.policy.changingFields == .hidden)
  }

  /// Lets limits hold that are not of one patch.
  private func hold(to limits: Policy.Limits) {
    LuaState.setTotalMemoryLimit(limits.totalMemory)
    collector.pause = .milliseconds(max(0, limits.idleMilliseconds))
    observers.limitsHaveChanged(limits)
  }

  /// Adds an observer of what happens to patches, and tells it the current limits.
  package func add(_ observer: any EngineObserver) {
    observers.add(observer)
    observer.limitsHaveChanged(policy.limits)
  }

  // MARK: Operations

  /// Runs `body` while no other operation is running: one thread at a time changes sessions.
  /// - Parameter name: The name of the operation for the error that other threads get if they wait
  ///   in vain.
  package func operation<Result>(
    _ name: String = "an operation", _ body: () throws -> Result
  ) throws -> Result {
    try operations.withLock(name, body)
  }

  /// Whether others may wait for what a thread does: it is in an operation, or loads a module for patches.
  package func isAwaited(_ thread: UInt64) -> Bool {
    operations.isHeld(by: thread) || lifecycle.isLoadingModule(on: thread)
  }

  /// The operation that is going on; nil: none is.
  package var currentOperation: String? { operations.current }

  /// The program's, if there is one; nil also while an operation is in the way of reading it.
  package var buildID: String? {
    if let known = program.knownBuildID { return known }
    return try? operation { try program.current().buildID }
  }

  /// Starts patches, all or none. They go live, and the patches that they replace end, in one
  /// store.
  package func apply(
    _ patches: [AdmittedPatch], _ options: ApplyOptions, with participant: any ApplyParticipant
  ) throws -> Application {
    try operation("applying \(patches.map(\.source.main.name).joined(separator: ", "))") {
      try lifecycle.apply(patches, options, with: participant)
    }
  }

  /// Says what would come of an apply, and changes nothing.
  package func dryRun(
    _ patches: [AdmittedPatch], _ options: ApplyOptions, with participant: any ApplyParticipant
  ) throws -> DryRun {
    try operation("checking \(patches.map(\.source.main.name).joined(separator: ", "))") {
      try lifecycle.dryRun(patches, options, with: participant)
    }
  }
}

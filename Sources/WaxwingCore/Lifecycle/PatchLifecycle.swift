// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
package import WaxwingPatches
import WaxwingReflection

/// How patches go live and end. Only for the thread that is in an operation of the engine.
package final class PatchLifecycle: Sendable {
  private let program: ProgramReader
  private let sessions: PatchSessions
  private let registry: OverrideRegistry
  private let admission: PatchAdmission
  private let checks: PatchChecks
  private let loader: PatchLoader
  private let switching: SessionSwitching
  private let lingering: LingeringObjects
  private let draining: SessionDraining

  init(
    program: ProgramReader, sessions: PatchSessions, registry: OverrideRegistry,
    admission: PatchAdmission, checks: PatchChecks, loader: PatchLoader,
    switching: SessionSwitching, lingering: LingeringObjects, draining: SessionDraining
  ) {
    self.program = program
    self.sessions = sessions
    self.registry = registry
    self.admission = admission
    self.checks = checks
    self.loader = loader
    self.switching = switching
    self.lingering = lingering
    self.draining = draining
  }

  /// Starts patches, all or none. They go live, and the patches that they replace end, in one
  /// store.
  func apply(
    _ patches: [AdmittedPatch], _ options: ApplyOptions, with participant: any ApplyParticipant
  ) throws -> Application {
    defer { checkInvariants() }
    let shutdowns = registry.shutdowns
    closeDrained()
    try checks.demandSound()
    try checks.demandCurrent(options)
    try participant.begin()
    let checked = try patches.map { try checks.check($0) }
    try checks.checkNames(checked.map(\.manifest), options.replacement)
    try checks.demandNewer(checked, options)
    let floors = try admission.floors(of: checked, program: try program.current().name)
    var plan = ApplyPlan(options.replacement, participant.raisesFloors ? floors : [])
    do {
      for (patch, manifest) in checked { plan.patches.append(try loader.load(patch, manifest)) }
      for session in plan.fresh { try loader.runStarting(session) }
      guard registry.shutdowns == shutdowns else { throw Self.restoredMeanwhile }
      plan.ending = replaced(by: plan)
      try admission.raise(plan.floors)
      try participant.prepare(plan)
    } catch {
      loader.discard(plan.fresh)
      participant.undo(plan)
      throw error
    }
    participant.commit(&plan)
    guard switching.switchOver(to: plan.fresh, ending: plan.ending, since: shutdowns) else {
      loader.discard(plan.fresh)
      participant.undo(plan)
      throw Self.restoredMeanwhile
    }
    switching.announce(plan.fresh)
    var application = Application(plan)
    if !plan.ending.isEmpty {
      let restoration = draining.finish(
        plan.ending, newlyEnded: plan.ending, waitAtMost: options.duration)
      application.laggards = restoration.laggards
      let names = Set(plan.fresh.map(\.name))
      application.ended = restoration.endedPatches.filter { !names.contains($0) }
    }
    return application
  }

  /// Refuses older patches than these from now on, which were on trial and stay.
  /// - Returns: The floors that they make.
  package func raiseFloors(of sessions: [PatchSession]) throws -> [SerialFloor] {
    let floors = admission.floors(of: sessions, program: try program.current().name)
    try admission.raise(floors)
    return floors
  }

  /// Loads and checks patches as an apply does, changes nothing, and ends their scripts again. Callbacks
  /// do not run, no entry is written, and no floor is raised.
  /// - Parameter participant: Only asked whether it refuses the patches.
  func dryRun(
    _ patches: [AdmittedPatch], _ options: ApplyOptions, with participant: any ApplyParticipant
  ) throws -> DryRun {
    defer { checkInvariants() }
    closeDrained()
    try checks.demandSound()
    try checks.demandCurrent(options)
    try participant.begin()
    let checked = try patches.map { try checks.check($0) }
    try checks.checkNames(checked.map(\.manifest), options.replacement)
    try checks.demandNewer(checked, options)
    let floors = try admission.floors(of: checked, program: try program.current().name)
    var plan = ApplyPlan(options.replacement, floors)
    defer { loader.discard(plan.fresh) }
    for (patch, manifest) in checked {
      plan.patches.append(try loader.load(patch, manifest, isDryRun: true))
    }
    plan.ending = replaced(by: plan)
    try participant.prepare(plan)
    let ending = Set(plan.ending.map(\.number))
    return DryRun(plan, staying: sessions.live.filter { !ending.contains($0.number) }, registry)
  }

  private static var restoredMeanwhile: WaxwingError {
    WaxwingError(
      .conflict,
      "the program was restored while the patch was loading, so the patch does not go live",
      remedy: "apply it again if it is still wanted")
  }

  /// The sessions that end when these begin.
  private func replaced(by plan: ApplyPlan) -> [PatchSession] {
    let staying = plan.patches.filter(\.isUnchanged).map(\.session.number)
    let names = Set(plan.patches.map(\.session.name))
    return sessions.live.filter { session in
      guard !staying.contains(session.number) else { return false }
      return plan.replacement == .everything || names.contains(session.name)
    }
  }

  // MARK: Step by step

  /// How often the whole program was given its own code back at once.
  package var shutdowns: Int { registry.shutdowns }

  /// Loads a patch without letting it go live.
  package func load(_ patch: AdmittedPatch) throws -> PatchSession {
    let (patch, manifest) = try checks.check(patch)
    let session = try loader.load(patch, manifest).session
    do { try loader.runStarting(session) } catch {
      loader.discard([session])
      throw error
    }
    return session
  }

  /// Takes back what was loaded and does not go live.
  package func discard(_ sessions: [PatchSession]) { loader.discard(sessions) }

  /// Lets loaded sessions go live.
  /// - Parameters:
  ///   - ending: The sessions that end at the same moment.
  ///   - shutdowns: The number of shutdowns before; nil for any. If there was another one, nothing
  ///     goes live.
  package func goLive(
    _ fresh: [PatchSession], ending: [PatchSession] = [], since shutdowns: Int? = nil
  ) {
    defer { checkInvariants() }
    guard switching.switchOver(to: fresh, ending: ending, since: shutdowns) else {
      return loader.discard(fresh)
    }
    switching.announce(fresh)
    if !ending.isEmpty { _ = draining.finish(ending, newlyEnded: ending, waitAtMost: .zero) }
  }

  /// Ends sessions. Those that have ended already are looked at again.
  /// - Parameters:
  ///   - now: Whether objects of their classes that are alive answer as their superclasses do.
  ///   - whenOff: Called once no new call goes into them, before anything is waited for.
  package func end(
    _ ending: [PatchSession], waitAtMost duration: Duration, now: Bool, whenOff: () -> Void
  ) -> Restoration {
    defer { checkInvariants() }
    let newlyEnded = ending.filter { $0.state == .active }
    if !newlyEnded.isEmpty { switching.switchOver(to: [], ending: newlyEnded, objectsGoOn: !now) }
    if now {
      for session in ending { lingering.end(session) }
    }
    whenOff()
    return draining.finish(ending, newlyEnded: newlyEnded, waitAtMost: duration)
  }

  /// Closes the ended sessions whose last call has returned.
  package func closeDrained() { draining.closeDrained() }

  /// Whether a thread runs what patches have for a module that it has loaded.
  func isLoadingModule(on thread: UInt64) -> Bool { loader.isLoadingModule(on: thread) }

  // MARK: Rules

  /// The broken rules between operations, in sentences. A sound engine has none.
  var brokenRules: [String] {
    let ended = sessions.all.filter { $0.state != .active }.map(\.number)
    return sessions.brokenRules + registry.brokenRules(ended: ended)
  }

  /// Ends the process if a rule does not hold; in debug builds alone, as it looks at everything.
  private func checkInvariants() {
    assert(brokenRules.isEmpty, brokenRules.joined(separator: "; "))
  }
}

extension WaxwingError {
  package init(_ error: PatchError) {
    self.init(.refused, error.located, remedy: error.remedy)
  }

  init(_ error: InterceptionError) {
    self.init(error.code == .unsupportedCPU ? .unsupported : .conflict, error.message)
  }

  /// The error for an override that cannot be put in its place.
  init(_ error: InterceptionError, _ override: Override) {
    let place = override.declaredAt.map { "\($0.source):\($0.line ?? 0): " } ?? ""
    self.init(
      error.code == .unsupportedCPU ? .unsupported : .conflict,
      "\(place)`\(override.qualifiedName)` cannot be overridden: \(error.message)",
      remedy: "nothing was changed")
  }
}

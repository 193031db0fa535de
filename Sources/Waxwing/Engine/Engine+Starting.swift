// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
internal import WaxwingConformances
import WaxwingInterception
import WaxwingLua
internal import WaxwingNames
import WaxwingOperations
internal import WaxwingOverrides
import WaxwingPatches
import WaxwingReflection
internal import WaxwingScripting

extension Engine {
  /// What patches that are applied do to those that are live.
  enum Replacement {
    /// A patch whose name is live is refused.
    case none
    /// A patch takes the place of the one of its name.
    case sameName
    /// The patches take the place of all.
    case everything
  }

  /// What `apply` did.
  struct Application {
    struct Applied {
      let session: PatchSession
      var replacedVersion: Int?
      var isUnchanged = false
      var warnings: [String] = []
    }

    /// In the order in which they were given.
    var applied: [Applied] = []
    /// The patches that were ended and that no newer version takes the place of.
    var ended: [String] = []
    /// Calls that are still in patches that were replaced.
    var laggards: [Restoration.Laggard] = []
  }

  /// Starts patches, all or none; they go live, and what they replace ends, in one store.
  func apply(
    _ patches: [AdmittedPatch], _ replacement: Replacement, waitAtMost duration: Duration,
    _ terms: Terms = Terms(), by actor: AuditRecord.Actor = .program
  ) throws -> Application {
    try operation("applying \(patches.map(\.source.main.name).joined(separator: ", "))") {
      let shutdowns = registry.shutdowns
      finishDraining()
      try host.demandSound()
      try demandCurrent(terms)
      if terms.keeps { try demandOwnStore() }
      let checked = try patches.map { (patch: $0, manifest: try check($0)) }
      try checkNames(checked.map(\.manifest), replacement)
      try demandNewer(checked, terms)
      let floors = try floors(of: checked, program: try runningProgram().name)
      var application = Application()
      var fresh: [PatchSession] = []
      var record: AuditRecord?
      do {
        for (patch, manifest) in checked {
          let applied = try prepare(patch, manifest)
          application.applied.append(applied)
          if !applied.isUnchanged { fresh.append(applied.session) }
        }
        for session in fresh { try runStarting(session) }
        try demandNoShutdown(since: shutdowns)
        try prepareTrial(terms)
        try raise(floors)
        record = try demandRecord(of: application, replacement, terms, floors, by: actor)
        try keep(application, replacement, terms)
      } catch {
        for session in fresh.reversed() { discard(session) }
        noteUndone(record)
        throw error
      }
      let ending = replaced(by: application, replacement)
      settleTrials(&application, fresh, ending, terms)
      guard activate(fresh, ending: ending, &application, duration, since: shutdowns) else {
        for session in fresh.reversed() { discard(session) }
        if terms.keeps { _ = unkeep(Set(fresh.map(\.name))) }
        noteUndone(record)
        throw Self.restoredMeanwhile
      }
      return application
    }
  }

  /// Starts a patch without letting it go live.
  func prepare(_ patch: AdmittedPatch) throws -> PatchSession {
    let session = try prepare(patch, try check(patch)).session
    do { try runStarting(session) } catch {
      discard(session)
      throw error
    }
    return session
  }

  /// - Parameters:
  ///   - ending: What ends in the same moment.
  ///   - shutdowns: How many there were before; nil: whatever there was.
  func goLive(
    _ fresh: [PatchSession], ending: [PatchSession] = [], since shutdowns: Int? = nil
  ) {
    var application = Application()
    guard !activate(fresh, ending: ending, &application, .zero, since: shutdowns) else { return }
    for session in fresh.reversed() { discard(session) }
  }

  private func demandNoShutdown(since shutdowns: Int) throws {
    guard registry.shutdowns == shutdowns else { throw Self.restoredMeanwhile }
  }

  private static var restoredMeanwhile: WaxwingError {
    WaxwingError(
      .conflict,
      "the program was restored while the patch was loading, so the patch does not go live",
      remedy: "apply it again if it is still wanted")
  }

  private func checkNames(_ manifests: [PatchManifest], _ replacement: Replacement) throws {
    var names: Set<String> = []
    for manifest in manifests where !names.insert(manifest.name).inserted {
      throw WaxwingError(.refused, "two of the patches are named `\(manifest.name)`")
    }
    guard replacement == .none else { return }
    for manifest in manifests where session(named: manifest.name) != nil {
      throw WaxwingError(
        .conflict, "a patch named `\(manifest.name)` is live already",
        remedy: "end it first, or `apply` to replace it")
    }
  }

  private func check(_ patch: AdmittedPatch) throws -> PatchManifest {
    if let obstacle = patchability.failure {
      throw WaxwingError(.unsupported, obstacle.reason, remedy: obstacle.remedy)
    }
    let source = patch.source
    let manifest: PatchManifest
    do throws(PatchError) {
      manifest = try PatchManifest(of: source, isSigned: demandsSignature(of: patch))
      try ArrivalRules.checkExpiry(of: manifest, in: source.main.name, at: trustedTime)
    } catch {
      throw WaxwingError(error)
    }
    try checkCapabilities(manifest, in: source.main.name)
    let program = try runningProgram()
    if let wanted = manifest.program, wanted != program.name {
      throw WaxwingError(
        .refused, "\(source.main.name): the patch is for `\(wanted)`; this is `\(program.name)`")
    }
    if !manifest.builds.isEmpty, !manifest.builds.contains(program.buildID ?? "") {
      let wanted = manifest.builds.joined(separator: ", ")
      throw WaxwingError(
        .refused,
        "\(source.main.name): the patch is for build \(wanted); this is build "
          + "\(program.buildID ?? "without an id")",
        remedy: "check the patch against this build and change `build` in its manifest")
    }
    return manifest
  }

  /// The sessions that end when these begin.
  func replaced(
    by application: Application, _ replacement: Replacement
  ) -> [PatchSession] {
    let staying = application.applied.filter(\.isUnchanged).map(\.session.number)
    let names = Set(application.applied.map(\.session.name))
    return sessions.filter { session in
      guard session.state == .active, !staying.contains(session.number) else { return false }
      return replacement == .everything || names.contains(session.name)
    }
  }
}

// MARK: - Preparing

extension Engine {
  /// Everything of a session but that it is live. Any failure leaves no trace.
  private func prepare(
    _ patch: AdmittedPatch, _ manifest: PatchManifest
  ) throws -> Application.Applied {
    let source = patch.source
    let older = session(named: manifest.name)
    if let older, older.bundle == patch.bundle {
      // The same bytes: what is known of their origin is what came last.
      older.origin = patch.origin
      return Application.Applied(session: older, isUnchanged: true, warnings: patch.warnings)
    }
    let number = nextNumber()
    let hash = StoreHash(of: BundleCoder.encode(patch.bundle))
    wax_process_breadcrumbs_name(hash.prefix, manifest.name)
    let crumb = wax_process_breadcrumb_enter(hash.prefix)
    defer { wax_process_breadcrumb_leave(crumb) }
    let runtime = try load(patch, manifest, number, hash)
    let gate: SessionSwitch
    do { gate = try SessionSwitch() } catch { throw WaxwingError(error) }
    let session = PatchSession(
      number: number, place: older?.place ?? number, source: source, bundle: patch.bundle,
      hash: hash, manifest: manifest, runtime: runtime, gate: gate, registry: registry,
      watchdog: watchdog, origin: patch.origin)
    try checkDeclared(session)
    try install(session)
    return Application.Applied(
      session: session, replacedVersion: older?.manifest.version,
      warnings: warnings(session) + patch.warnings)
  }

  private func warnings(_ session: PatchSession) -> [String] {
    var warnings = policy.limits.lowered(session.manifest.limits)
    let waiting = session.runtime.lateModules.names
    if !waiting.isEmpty {
      warnings.append("it waits for \(waiting.joined(separator: ", ")), not loaded yet")
    } else if session.overrides.isEmpty, session.runtime.methods.isEmpty,
      session.runtime.conformances.isEmpty
    {
      warnings.append("the patch declares no override: it changes nothing")
    }
    return warnings
  }

  /// As many Lua states as there are cores, at most this many, for a parallel patch.
  private static let mostStates = 8

  private func load(
    _ patch: AdmittedPatch, _ manifest: PatchManifest, _ number: Int, _ hash: StoreHash
  ) throws -> ScriptRuntime {
    let first = try loadOne(patch, manifest, number, hash)
    guard manifest.parallel else { return first }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var replicas: [ScriptRuntime] = []
    do {
      for _ in 1..<max(2, min(Self.mostStates, cores)) {
        replicas.append(try loadOne(patch, manifest, number, hash))
      }
      if let reason = first.join(replicas) {
        throw WaxwingError(
          .refused, "\(patch.source.main.name): \(reason)",
          remedy: "leave `parallel` out, or declare the same in every run")
      }
    } catch {
      for script in replicas + [first] { _ = script.close(atMost: .seconds(1)) }
      throw error
    }
    return first
  }

  private func loadOne(
    _ patch: AdmittedPatch, _ manifest: PatchManifest, _ number: Int, _ hash: StoreHash
  ) throws -> ScriptRuntime {
    let source = patch.source
    let runtime: ScriptRuntime
    do {
      let gate = try SelectorGate(self, patch)
      let resolver = NameResolver(try runningProgram())
      var options = options(manifest, number, gate, resolver)
      options.crumb = hash.prefix
      runtime = try ScriptRuntime(resolver, options)
    } catch let error as WaxwingError {
      throw error
    } catch {
      throw WaxwingError(
        .refused, "\(source.main.name): the memory limit is too small for an empty Lua state",
        remedy: "raise `limits.memory` in the manifest, or leave it out")
    }
    do throws(LuaFailure) {
      try runtime.load(
        source.files.map { file in
          ScriptRuntime.Source(
            name: file.name, module: file.moduleName, text: file.bytes)
        })
      return runtime
    } catch {
      _ = runtime.close(atMost: .seconds(1))
      throw WaxwingError(
        .refused, error.message, details: error.frames.map(\.description),
        remedy: "nothing was changed")
    }
  }

  private func options(
    _ manifest: PatchManifest, _ number: Int, _ gate: SelectorGate, _ resolver: NameResolver
  ) -> ScriptOptions {
    let declared = DeclaredOverrides(manifest.overrides, resolver)
    let name = manifest.name
    let most = policy.limits.overrides
    let limits = policy.limits.granted(to: manifest)
    let limiter = LogLimiter(perSecond: policy.limits.logLines)
    let failed: @Sendable (String, OverrideFault) -> Void = { [log] event, fault in
      log.write(patch: name, limiter) { $0.write(event, fault, patch: name) }
    }
    var options = ScriptOptions(
      memoryLimit: limits.memory, callLimits: limits.call, loadLimits: limits.load,
      allowsWeakTables: manifest.capabilities.contains(Policy.Capability.weakTables.rawValue),
      isParallel: manifest.parallel,
      onError: manifest.onError == .throw ? .throw : .original,
      log: { [log] line in log.write(patch: name, limiter) { $0.write(line, patch: name) } },
      report: { [log] override, fault in log.write(fault, of: override, patch: name) },
      tasks: TaskQuota.Limits(
        live: policy.limits.tasks, perSecond: policy.limits.tasksPerSecond),
      breaker: Breaker.Limits(
        faults: policy.limits.faults, seconds: policy.limits.faultSeconds),
      depth: policy.limits.depth,
      switchedOff: { [log] override, reason in
        log.write(switchedOff: override, reason, patch: name)
      },
      bypassed: { [log] override, reason in log.write(reason, of: override, patch: name) },
      added: { [registry] override in
        let others = registry.overrides(of: number)
        let reason =
          Self.reason(against: override, of: manifest, declared, among: others, most: most)
          ?? gate.reason(against: override.qualifiedName)
        if let reason { return reason }
        do throws(InterceptionError) {
          try registry.install(override, in: number)
          return nil
        } catch {
          return error.message
        }
      },
      removed: { [registry] override in registry.remove(override, from: number) },
      version: { [registry] type in registry.versions[type] ?? 0 },
      closureFailed: { fault in failed("closure.failed", fault) },
      callbackFailed: { fault in failed("callback.failed", fault) },
      taskFailed: { fault in failed("task.failed", fault) },
      makeError: { LuaError($0) })
    options.name = name
    options.taskShare.milliseconds = max(0, policy.limits.taskMilliseconds)
    return options
  }

  /// Runs the callbacks that may refuse the patch.
  private func runStarting(_ session: PatchSession) throws {
    let crumb = wax_process_breadcrumb_enter(session.hash.prefix)
    defer { wax_process_breadcrumb_leave(crumb) }
    do throws(LuaFailure) {
      try session.runtime.run(.starting)
    } catch {
      throw WaxwingError(
        .refused, error.message,
        details: ["in a callback of on(\"starting\")"] + error.frames.map(\.description),
        remedy: "nothing was changed")
    }
  }

  /// Installs all layers behind the switch, which is off; all or none.
  private func install(_ session: PatchSession) throws {
    registry.open(session.number, session.name, session.gate, place: session.place)
    late.add(session)
    let conformances = session.runtime.conformances
    if let reason = registry.open(conformances, of: session.number, session.name) {
      discard(session)
      throw WaxwingError(
        .conflict, "\(session.source.main.name): \(reason)", remedy: "end it first")
    }
    do throws(InterceptionError) {
      for override in session.runtime.overrides {
        try registry.install(override, in: session.number)
      }
      for method in session.runtime.methods.all where !method.isOverride {
        registry.change(method.owner, of: session.number, by: 1)
      }
      for conformance in conformances.flatMap(\.all) {
        registry.change(conformance.typeName, of: session.number, by: 1)
      }
    } catch {
      discard(session)
      throw WaxwingError(error)
    }
  }

  /// Undoes what was prepared.
  func discard(_ session: PatchSession) {
    late.remove(session)
    registry.close(session.number)
    registry.restore()
    _ = session.runtime.close(atMost: .seconds(1))
  }
}

// MARK: - Going live

extension Engine {
  private func activate(
    _ fresh: [PatchSession], ending: [PatchSession], _ application: inout Application,
    _ duration: Duration, since shutdowns: Int?
  ) -> Bool {
    guard switchOver(to: fresh, ending: ending, since: shutdowns) else { return false }
    for session in fresh {
      let crumb = wax_process_breadcrumb_enter(session.hash.prefix)
      session.runtime.runAll(.started)
      wax_process_breadcrumb_leave(crumb)
    }
    for session in fresh {
      log.write(
        .info, "patch.applied", "\(session.name) is live",
        [("version", session.manifest.version), ("overrides", session.overrides.count)]
          + session.origin.fields)
    }
    guard !ending.isEmpty else { return true }
    let restoration = finish(ending, newlyEnded: ending, waitAtMost: duration)
    application.laggards = restoration.laggards
    let names = Set(fresh.map(\.name))
    application.ended = restoration.endedPatches.filter { !names.contains($0) }
    return true
  }

  /// The one moment in which anything changes for the program.
  /// - Returns: False if all was switched off since there were so many `shutdowns`: nothing has changed.
  @discardableResult
  func switchOver(
    to fresh: [PatchSession], ending: [PatchSession], since shutdowns: Int? = nil,
    objectsGoOn: Bool = true
  ) -> Bool {
    for session in ending.reversed() { session.runtime.runAll(.ending) }
    let taken = Set(fresh.flatMap(\.runtime.madeClasses).map(ObjectIdentifier.init))
    if objectsGoOn { prepareLingering(ending, replacedBy: taken) }
    let (starting, over) = (fresh.map(\.number), ending.map(\.number))
    guard registry.flip(on: starting, off: over, taking: taken, unlessAfter: shutdowns)
    else { return false }
    if !fresh.isEmpty || !ending.isEmpty { countGeneration() }
    methods.replace(ending, with: fresh)
    for session in ending { late.remove(session) }
    for session in fresh {
      session.runtime.beginClasses()
      session.appliedAt = time(nil)
      watchdog.watch(session)
      collector.watch(session)
    }
    for session in ending {
      if !session.lingers { session.runtime.endClasses() }
      session.state = session.lingers ? .lingering : .draining
      if !session.lingers { collector.forget(session) }
      session.endedAt = .now
    }
    settleLingering(ending, replacedBy: taken)
    sessions = (sessions + fresh).sorted { ($0.place, $0.number) < ($1.place, $1.number) }
    return true
  }
}

extension WaxwingError {
  init(_ error: PatchError) {
    self.init(.refused, error.located, remedy: error.remedy)
  }

  init(_ error: InterceptionError) {
    self.init(error.code == .unsupportedCPU ? .unsupported : .conflict, error.message)
  }
}

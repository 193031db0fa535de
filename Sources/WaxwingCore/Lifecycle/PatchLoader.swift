// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Glibc
import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingPatches
import WaxwingScripting

/// Loads patches: after that all of a session is there but that it is live. Any failure leaves no trace.
final class PatchLoader: Sendable {
  private let log: Log
  private let settings: EngineSettings
  private let program: ProgramReader
  private let sessions: PatchSessions
  private let registry: OverrideRegistry
  private let messages: OutgoingMessages
  private let late = LateSessions()

  init(
    log: Log, settings: EngineSettings, program: ProgramReader, sessions: PatchSessions,
    registry: OverrideRegistry, messages: OutgoingMessages
  ) {
    self.log = log
    self.settings = settings
    self.program = program
    self.sessions = sessions
    self.registry = registry
    self.messages = messages
  }

  /// Loads a patch, unless the same bytes are live.
  /// - Parameter isDryRun: Whether it is only to be seen that it loads: it must be discarded then.
  func load(
    _ patch: AdmittedPatch, _ manifest: PatchManifest, isDryRun: Bool = false
  ) throws -> AppliedPatch {
    let older = sessions.live(named: manifest.name)
    if let older, older.bundle == patch.bundle, older.selection == patch.selection {
      // The same bytes: what is known of their origin is what came last.
      if !isDryRun { older.origin = patch.origin }
      return AppliedPatch(session: older, isUnchanged: true, warnings: patch.warnings)
    }
    let number = sessions.nextNumber()
    let hash = ContentHash(of: BundleCoder.encode(patch.bundle))
    unsafe wax_process_breadcrumbs_name(hash.prefix, manifest.name)
    let breadcrumb = wax_process_breadcrumb_enter(hash.prefix)
    defer { wax_process_breadcrumb_leave(breadcrumb) }
    let rules = try PatchPermissions(settings, signer: patch.origin.signer)
    let scripts = ScriptLoading(
      log: log, policy: settings.policy, program: program, registry: registry,
      permissions: rules, messages: messages)
    let runtime = try scripts.load(patch, manifest, number, hash)
    let gate: SessionSwitch
    do { gate = try SessionSwitch() } catch { throw WaxwingError(error) }
    let session = PatchSession(
      number: number, place: older?.place ?? number, patch: patch, hash: hash, manifest: manifest,
      runtime: runtime, gate: gate, registry: registry)
    do { try DeclarationChecks(policy: settings.policy, permissions: rules).check(session) } catch {
      _ = runtime.close(atMost: .seconds(1))
      throw error
    }
    try isDryRun ? checkInstalling(session) : install(session)
    return AppliedPatch(
      session: session, replacedVersion: older?.manifest.version,
      warnings: warnings(session) + patch.warnings)
  }

  /// Refuses what ``install(_:)`` refuses. No entry is written, and no slot is taken.
  private func checkInstalling(_ session: PatchSession) throws {
    try open(session.runtime.declarations.conformances, of: session)
    for override in session.runtime.overrides.all {
      do throws(InterceptionError) { try registry.check(override) } catch {
        discard(session)
        throw WaxwingError(error, override)
      }
    }
  }

  private func open(_ conformances: [DeclaredConformance], of session: PatchSession) throws {
    guard let reason = registry.open(conformances, of: session.number, session.name) else { return }
    discard(session)
    throw WaxwingError(
      .conflict, "\(session.source.main.name): \(reason)", remedy: "end it first")
  }

  private func warnings(_ session: PatchSession) -> [String] {
    var warnings = settings.policy.limits.lowered(session.manifest.limits)
    let waiting = session.runtime.modules.late.names
    if !waiting.isEmpty {
      warnings.append("it waits for \(waiting.joined(separator: ", ")), not loaded yet")
    } else if session.runtime.overrides.all.isEmpty, session.runtime.declarations.methods.isEmpty,
      session.runtime.declarations.conformances.isEmpty
    {
      warnings.append("the patch declares no override: it changes nothing")
    }
    return warnings + session.runtime.notes
  }

  /// Installs all layers behind the switch, which is off; all or none.
  private func install(_ session: PatchSession) throws {
    registry.open(session.number, session.name, session.gate, place: session.place)
    late.add(session)
    let conformances = session.runtime.declarations.conformances
    try open(conformances, of: session)
    for override in session.runtime.overrides.all {
      do throws(InterceptionError) { try registry.install(override, in: session.number) } catch {
        discard(session)
        throw WaxwingError(error, override)
      }
    }
    for method in session.runtime.declarations.methods.all where !method.isOverride {
      registry.change(method.owner, of: session.number, by: 1)
    }
    for conformance in conformances.flatMap(\.all) {
      registry.change(conformance.typeName, of: session.number, by: 1)
    }
  }

  /// Runs the callbacks that may refuse the patch.
  func runStarting(_ session: PatchSession) throws {
    let breadcrumb = wax_process_breadcrumb_enter(session.hash.prefix)
    defer { wax_process_breadcrumb_leave(breadcrumb) }
    do throws(LuaFailure) {
      try session.runtime.callbacks.run(.starting)
    } catch {
      throw WaxwingError(
        .refused, error.message,
        details: ["in a callback of on(\"starting\")"] + error.frames.map(\.description),
        remedy: "nothing was changed")
    }
  }

  /// Undoes what was prepared.
  func discard(_ sessions: [PatchSession]) {
    for session in sessions.reversed() { discard(session) }
  }

  private func discard(_ session: PatchSession) {
    stopWaiting(session)
    registry.close(session.number)
    registry.restore()
    _ = session.runtime.close(atMost: .seconds(1))
  }

  /// Whether a thread runs what patches have for a module that it has loaded.
  func isLoadingModule(on thread: UInt64) -> Bool { late.isRunning(on: thread) }

  /// Modules that are loaded from now on are nothing to the session.
  func stopWaiting(_ session: PatchSession) { late.remove(session) }
}

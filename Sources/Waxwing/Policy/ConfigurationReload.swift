// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// Reading the operator's file again while the program runs.
final class ConfigurationReload: Sendable {
  private let engine: Engine
  private let rules: RuleCheck
  private let audit: AuditTrail

  init(_ engine: Engine, _ rules: RuleCheck, _ audit: AuditTrail) {
    self.engine = engine
    self.rules = rules
    self.audit = audit
  }

  /// Takes on what the file says now. A file with a mistake changes nothing.
  func reload(by actor: AuditRecord.Actor) throws -> ReloadReport {
    try audit.recordingRefusal(of: "config.reload", [], by: actor) {
      var report = try engine.operation("reloading the configuration") {
        let fresh = HostConfiguration.read()
        try Self.demandReloadable(fresh)
        try audit.demand(
          AuditRecord(
            "config.reload", "done", by: actor, generation: engine.sessions.generation))
        let old = engine.host
        engine.use(host: fresh)
        ControlListener.shared.use(fresh.access)
        engine.log.write(
          .info, "config.reloaded", "the configuration was read again",
          [("file", fresh.path ?? "none")] + actor.fields)
        return ReloadReport(
          path: fresh.path, postponed: Self.postponed(old.contents, fresh.contents),
          warnings: liveAgainstRules())
      }
      report.warnings = try rules.unmatched() + report.warnings
      return report
    }
  }

  private static func demandReloadable(_ fresh: HostConfiguration) throws {
    guard !fresh.trouble.isEmpty else { return }
    let count = fresh.trouble.count
    throw WaxwingError(
      .refused,
      "the configuration has \(count) \(count == 1 ? "mistake" : "mistakes") and was not reloaded",
      details: fresh.trouble,
      remedy: "fix it and reload again; the previous configuration stays in force")
  }

  /// The keys of settings that take effect when the program begins to listen, and do not change
  /// after that.
  private static func postponed(_ old: Configuration, _ new: Configuration) -> [String] {
    var keys: [String] = []
    if old.socketGroup != new.socketGroup { keys.append("socket-group") }
    if old.store != new.store { keys.append("store") }
    if old.audit != new.audit { keys.append("audit") }
    return keys
  }

  /// Live patches that the rules would refuse now.
  private func liveAgainstRules() -> [String] {
    engine.sessions.live.flatMap { session in
      session.overrides.compactMap { override in
        engine.host.contents.rules.reason(
          against: override.qualifiedName, signer: session.origin.signer
        ).map { "\(session.name) is live: \($0)" }
      }
    }
  }
}

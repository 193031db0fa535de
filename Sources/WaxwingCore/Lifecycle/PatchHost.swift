// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingPatches
import WaxwingValues

/// The host of one patch's script: the log, with its own limit, and the override registry.
final class PatchHost: ScriptHost {
  private let events: Log
  private let limiter: LogLimiter
  private let registry: OverrideRegistry
  private let permissions: PatchPermissions
  /// The number of the session.
  private let number: Int
  private let manifest: PatchManifest
  /// The overrides that the manifest declares; nil if the manifest does not say.
  private let declared: DeclaredOverrides?
  private let mostOverrides: Int
  private let messages: OutgoingMessages

  init(
    _ log: Log, _ limits: Policy.Limits, _ registry: OverrideRegistry,
    _ permissions: PatchPermissions,
    number: Int, _ manifest: PatchManifest, _ declared: DeclaredOverrides?,
    _ messages: OutgoingMessages
  ) {
    events = log
    limiter = LogLimiter(perSecond: limits.logLines)
    self.registry = registry
    self.permissions = permissions
    self.number = number
    self.manifest = manifest
    self.declared = declared
    mostOverrides = limits.overrides
    self.messages = messages
  }

  private var name: String { manifest.name }

  func log(_ line: LogLine) {
    events.write(patch: name, limiter) { $0.write(line, patch: name) }
  }

  func overrideFailed(_ override: Override, _ fault: OverrideFault) {
    events.write(fault, of: override, patch: name)
  }

  func overrideWasSwitchedOff(_ override: Override, after reason: String) {
    events.write(switchedOff: override, reason, patch: name)
  }

  func overrideWasBypassed(_ override: Override, for reason: Override.Bypass) {
    events.write(reason, of: override, patch: name)
  }

  func overrideMayKeepSelf(_ override: Override) {
    events.write(keptSelfOf: override, patch: name)
  }

  func install(_ override: Override) -> String? {
    let others = registry.overrides(of: number)
    let reason =
      DeclarationChecks.reason(
        against: override, of: manifest, declared, among: others, most: mostOverrides)
      ?? permissions.reason(against: override.qualifiedName)
    if let reason { return reason }
    do throws(InterceptionError) {
      try registry.install(override, in: number)
      return nil
    } catch {
      return "`\(override.qualifiedName)` cannot be overridden: \(error.message)"
    }
  }

  func remove(_ override: Override) { registry.remove(override, from: number) }

  func classVersion(of type: String) -> Int { registry.versions[type] ?? 0 }

  func closureFailed(_ fault: OverrideFault) { write("closure.failed", fault) }

  func callbackFailed(_ fault: OverrideFault) { write("callback.failed", fault) }

  func taskFailed(_ fault: OverrideFault) { write("task.failed", fault) }

  private func write(_ event: String, _ fault: OverrideFault) {
    events.write(patch: name, limiter) { $0.write(event, fault, patch: name) }
  }

  func send(
    _ text: String, to name: String, reply: @escaping @Sendable (MessageReply) -> Void
  ) -> Result<Withdrawal, UndeliverableMessage> {
    do throws(UndeliverableMessage) {
      let number = try messages.add(text, to: name, from: self.name, reply)
      return .success { [messages] in messages.withdraw(number) }
    } catch {
      return .failure(error)
    }
  }

  func error(for raised: RaisedError) -> any Error { LuaError(raised) }
}

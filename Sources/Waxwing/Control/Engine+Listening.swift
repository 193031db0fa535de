// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingReflection

extension Engine {
  /// Takes on what the program wants and what the operator's file says.
  func configure(_ policy: Policy) {
    let host = HostConfiguration.read()
    self.host = host
    self.policy = policy
    guard !host.trouble.isEmpty else { return }
    log.write(
      .error, "config.error",
      "the configuration has mistakes: patching is disabled until they are fixed and it is reloaded with "
        + "`waxwing config reload`", host.trouble.map { ("mistake", $0) })
  }

  /// Which instance this process is to be. One that has listened before stays what it was: what it keeps goes
  /// by that.
  func instance(named name: String?) throws -> Instance {
    let wanted = try Instance(name: name)
    let known = instance
    let hasBooted = try operation { keeper.hasBooted }
    guard wanted != known, hasBooted else { return wanted }
    guard wanted == .first else {
      throw WaxwingError(
        .conflict, "this process has already listened as \(known.fileName)",
        remedy: "use that name again, or none")
    }
    return known
  }

  /// Records that clients can come from now on.
  func noteListening(at path: String) {
    if let trouble = ControlListener.shared.groupTrouble {
      log.write(
        .error, "config.error", "the control socket cannot be opened to its group: \(trouble)",
        [("socket", path)])
    }
    if case .further(let pid) = instance {
      log.write(
        .info, "listen.instance",
        "another process of \(ProgramName.current) is running; this one is named "
          + "\(ProgramName.current)@\(pid)", [("socket", path)])
    }
    guard audit.isKept else { return }
    let isInsecure = policy.unsignedPatches == .allowed
    note(
      AuditRecord(
        "listen", "done", by: .program,
        reason: "at \(path)" + (isInsecure ? "; patches need no signature" : "")))
    let summary = audit.summary
    log.write(
      .info, "audit.opened", "operations on this program are logged",
      [
        ("file", summary.path ?? ""), ("records", summary.records), ("head", summary.head),
      ])
  }

  /// Reports a client that was refused because of who it is.
  func note(_ refusal: ControlRefusal) {
    counters.count("client refused")
    let actor = refusal.peer.map(AuditRecord.Actor.init)
    let verb = refusal.verb ?? "connect"
    log.write(
      .warning, "client.refused", refusal.message, [("verb", verb)] + (actor?.fields ?? []))
    guard let actor else { return }
    note(AuditRecord("client", "refused", by: actor, reason: "\(verb): \(refusal.message)"))
  }
}

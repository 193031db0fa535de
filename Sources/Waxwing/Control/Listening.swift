// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingReflection

/// The moment in which a program begins to listen: it takes on what its operator says, starts the patches that are
/// kept, and lets clients come.
struct Listening {
  private let operations: Operations
  private let engine: Engine

  init(_ operations: Operations) {
    self.operations = operations
    engine = operations.engine
  }

  /// Begins to listen.
  /// - Returns: The socket's path.
  func begin(socket: String?, instance name: String?, policy: Policy) throws -> String {
    try ControlListener.shared.demandIdle()
    operations.instance.value = try instance(named: name)
    configure(policy.withEnvironment)
    operations.audit.open()
    // Requests wait until the kept patches are live.
    let path = try engine.operation {
      let listener = ControlListener.shared
      let (path, instance) = try listener.start(
        socket, as: operations.instance.value, for: operations)
      operations.instance.value = instance
      operations.boot.boot()
      return path
    }
    noteListening(at: path)
    engine.patchability.report(
      to: engine.log, writesCode: engine.policy.codeEntries == .allowed)
    operations.rules.reportUnmatched()
    operations.startPatches.apply()
    if engine.policy.unsignedPatches == .allowed {
      engine.log.write(
        .warning, "policy.insecure",
        "INSECURE: anyone who may use the control socket can run any code in this process, because patches "
          + "need no signature")
    }
    return path
  }

  /// Takes on what the program wants and what the operator's file says.
  private func configure(_ policy: Policy) {
    let host = HostConfiguration.read()
    engine.use(policy, host: host)
    guard !host.trouble.isEmpty else { return }
    engine.log.write(
      .error, "config.error",
      "the configuration has mistakes: patching is disabled until they are fixed and it is reloaded with "
        + "`waxwing config reload`", host.trouble.map { ("mistake", $0) })
  }

  /// The instance that this process is to be. A process that has listened before stays the same
  /// instance, because the store and the audit log depend on it.
  private func instance(named name: String?) throws -> ProgramInstance {
    let wanted = try ProgramInstance(name: name)
    let known = operations.instance.value
    let hasBooted = try engine.operation { operations.boot.hasBooted }
    guard wanted != known, hasBooted else { return wanted }
    guard wanted == .first else {
      throw WaxwingError(
        .conflict, "this process has already listened as \(known.fileName)",
        remedy: "use that name again, or none")
    }
    return known
  }

  /// Records that clients can come from now on.
  private func noteListening(at path: String) {
    if let trouble = ControlListener.shared.groupTrouble {
      engine.log.write(
        .error, "config.error", "the control socket cannot be opened to its group: \(trouble)",
        [("socket", path)])
    }
    if case .further(let pid) = operations.instance.value {
      engine.log.write(
        .info, "listen.instance",
        "another process of \(ProgramName.current) is running; this one is named "
          + "\(ProgramName.current)@\(pid)", [("socket", path)])
    }
    guard operations.audit.isKept else { return }
    let isInsecure = engine.policy.unsignedPatches == .allowed
    let isNoted = operations.audit.note(
      AuditRecord(
        "listen", "done", by: .program,
        reason: "at \(path)" + (isInsecure ? "; patches need no signature" : "")))
    guard isNoted else { return }
    let summary = operations.audit.summary
    engine.log.write(
      .info, "audit.opened", "operations on this program are logged",
      [
        ("file", summary.path ?? ""), ("records", summary.records), ("head", summary.head),
      ])
  }
}

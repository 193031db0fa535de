// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// The output of `waxwing status`: the daemon, the sum of its patches, and a line for each.
struct StatusText {
  let status: DaemonStatus
  /// The daemon's user; nil if that is the user who asks.
  var user: String?

  var lines: [String] {
    let daemon = status.daemon
    var lines = ["\(daemon.name) (pid \(daemon.pid)), engine \(daemon.version)"]
    if let user { lines.append("user: \(user)") }
    lines.append("build: \(daemon.buildID ?? "no build id")")
    if status.allowsUnsigned == true {
      lines.append("security: INSECURE, patches are applied without a signature")
    }
    if let count = status.rewrittenFunctions {
      lines.append("code entries: allowed, \(counted(count, "function")) rewritten")
    }
    lines += guards
    lines.append("state: \(state)")
    if let current = daemon.current { lines.append("current: \(current)") }
    if let busy = status.busy {
      lines.append("busy: \(busy); the state of the patches is known when that has ended")
      lines += daemon.patches.map { "  \($0): live" }
    }
    for patch in status.patches {
      let signer = patch.origin?.signer.map { ", signed by \($0)" } ?? ""
      lines.append(
        "  \(patch.name) version \(patch.version): \(patch.stateText) since \(patch.appliedAt)"
          + signer)
    }
    for patch in status.patches {
      for override in patch.overrides {
        if let reason = override.switchedOff {
          lines.append(
            "  switched off: \(override.qualifiedName) of \(patch.name), after \(reason)")
        }
        if let text = override.bypassText { lines.append("  \(patch.name): \(text)") }
      }
    }
    lines += status.patches.compactMap(\.tasksText).map { "  " + $0 }
    for call in status.patches.flatMap({ $0.stuckCalls ?? [] }) {
      lines.append("  stuck: " + RestoreOutcome.lines(call)[0])
    }
    if let text = memory { lines.append(text) }
    if let boot = status.boot { lines += BootText(status: boot).lines }
    lines += status.differences.map { "  difference: \($0)" }
    if let warning = status.swiftWarning { lines.append("warning: \(warning)") }
    if let reason = status.unsupported { lines.append("patching: not possible, \(reason)") }
    return lines
  }

  /// The lines about access to the daemon, and about what it records.
  private var guards: [String] {
    var lines: [String] = []
    let trouble = status.configurationTrouble ?? []
    if !trouble.isEmpty {
      lines.append("configuration: REFUSED, so patching is disabled; restore works")
      lines += trouble.map { "  \($0)" }
    } else if let path = status.configuration {
      lines.append("configuration: \(path)")
    }
    lines += (status.configurationWarnings ?? []).map { "  warning: \($0)" }
    if let trouble = status.socketTrouble { lines.append("control socket: \(trouble)") }
    if let role = status.role, role != .init(.own) { lines.append("your role: \(role)") }
    guard let audit = status.audit else { return lines }
    if let path = audit.path {
      lines.append("audit log: \(path), \(counted(audit.records, "record")), head \(audit.head)")
    } else {
      lines.append("audit log: none")
    }
    if let trouble = audit.trouble { lines.append("  \(trouble)") }
    return lines
  }

  /// What the patches' Lua states hold, once it is more than half of what they may.
  private var memory: String? {
    guard let memory = status.memory, let limit = status.memoryLimit, limit > 0, memory > limit / 2
    else { return nil }
    return "memory: the patches hold \(memory >> 10) of \(limit >> 10) KiB (`limits.total-memory`)"
  }

  private var state: String {
    let condition = status.condition.rawValue
    if status.busy != nil {
      return
        "\(condition), \(counted(status.daemon.patches.count, "patch", plural: "patches")) live"
    }
    guard !status.patches.isEmpty else {
      return status.condition == .baseline ? "baseline, no patches" : "\(condition), no patches"
    }
    let sums = status.patches.map(\.total)
    // Counters come off a socket: their sum may not fit.
    let overrides = sums.reduce(0) { $0 &+ $1.overrides }
    let calls = sums.reduce(UInt64(0)) { $0 &+ $1.calls }
    let errors = sums.reduce(UInt64(0)) { $0 &+ $1.errors }
    return "\(condition), "
      + [
        counted(status.patches.count, "patch", plural: "patches"),
        counted(overrides, "override"), counted(calls, "call"), counted(errors, "error"),
      ].joined(separator: ", ")
  }
}

extension PatchStatus {
  /// What came of its tasks, if any is live or has failed.
  var tasksText: String? {
    guard let tasks, tasks.live + tasks.failed > 0 else { return nil }
    var text = "tasks of \(name): \(tasks.live) running, \(tasks.failed) failed"
    if tasks.cancelled > 0 {
      text += ", \(tasks.cancelled) of them cancelled because they ran out of time"
    }
    return text
  }
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What `waxwing list` prints: a table, and below it the last error of each failing override.
struct PatchListText {
  let daemon: DaemonInfo
  let patches: [PatchStatus]

  var lines: [String] {
    guard !patches.isEmpty else {
      return ["\(daemon.name) (pid \(daemon.pid)) is at baseline: no patches"]
    }
    let notes =
      patches.compactMap(objects(of:)) + patches.flatMap(errors(of:)) + patches.flatMap(past(of:))
      + patches.compactMap(stuck(in:))
    return table + notes.flatMap { [""] + $0 }
  }

  private var table: [String] {
    var columns: [TextTable.Column] = [
      "PATCH", .number("VERSION"), "STATE",
    ]
    if isSigned { columns.append("SIGNER") }
    columns.append("OVERRIDE")
    if isStacked { columns.append("ORDER") }
    columns += [.number("CALLS"), .number("ERRORS")]
    if isMeasured {
      columns += ["P50", "P99", "LONGEST"].map { .number($0) }
    }
    var table = TextTable(columns: columns)
    for patch in patches {
      let signer = isSigned ? [signer(of: patch)] : []
      let head = [patch.name, "\(patch.version)", patch.stateText] + signer
      for (index, override) in patch.overrides.enumerated() {
        table.rows.append((index == 0 ? head : head.map { _ in "" }) + cells(override))
      }
      if patch.overrides.isEmpty {
        let empty = (isStacked ? 1 : 0) + 2 + (isMeasured ? 3 : 0)
        table.rows.append(head + ["(none)"] + Array(repeating: "", count: empty))
      }
    }
    return table.lines
  }

  /// Where no patch is signed, `waxwing status` says what is to be said of that.
  private var isSigned: Bool { patches.contains { $0.origin?.signer != nil } }

  private func signer(of patch: PatchStatus) -> String {
    guard let origin = patch.origin else { return "" }
    return origin.signer ?? (origin.kind == .program ? "(the program)" : "(none)")
  }

  private var isStacked: Bool { patches.contains { $0.overrides.contains { $0.stacked > 1 } } }

  private var isMeasured: Bool {
    patches.contains { $0.overrides.contains { $0.times != nil } }
  }

  private func cells(_ override: OverrideStatus) -> [String] {
    let name = override.qualifiedName
    let title = override.kind == .override ? name : "\(name) (\(override.kind))"
    let order =
      override.stacked < 2 || override.order == 0 ? "" : "\(override.order) of \(override.stacked)"
    let times = isMeasured ? override.times?.shortCells ?? ["", "", ""] : []
    return [title] + (isStacked ? [order] : []) + ["\(override.calls)", "\(override.errors)"]
      + times
  }

  private func errors(of patch: PatchStatus) -> [[String]] {
    let tasks =
      patch.tasks.map { $0.failed > 0 } == true ? [patch.tasksText].compactMap(\.self) : []
    return (tasks.isEmpty ? [] : [tasks])
      + patch.overrides.compactMap { override in errors(of: override, of: patch) }
  }

  private func errors(of override: OverrideStatus, of patch: PatchStatus) -> [String]? {
    guard let error = override.lastError else {
      return override.switchedOff.map {
        ["\(patch.name): \(override.qualifiedName) \(Self.switchedOff(after: $0))"]
      }
    }
    let count = counted(error.count, "error")
    var lines = ["\(patch.name): \(count) in \(override.qualifiedName), last at \(error.at)"]
    lines.append("  " + error.located)
    lines += error.traceback.map { "    " + $0 }
    if let reason = override.switchedOff {
      lines.append("  " + Self.switchedOff(after: reason))
    }
    return lines
  }

  private static func switchedOff(after reason: String) -> String {
    "switched off after \(reason): all calls go to the original"
  }

  private func objects(of patch: PatchStatus) -> [String]? {
    patch.livingObjects.map { objects in
      let counts = objects.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
      return ["\(patch.name): living objects: \(counts.joined(separator: ", "))"]
    }
  }

  private func stuck(in patch: PatchStatus) -> [String]? {
    guard let calls = patch.stuckCalls, !calls.isEmpty else { return nil }
    let head =
      "\(patch.name): \(counted(calls.count, "call has", plural: "calls have")) not returned for long"
    let most = 10
    let more = calls.count > most ? ["  and \(calls.count - most) more"] : []
    let lines = calls.prefix(most).flatMap { RestoreOutcome.lines($0) }.map { "  " + $0 }
    return [head] + lines + more
  }

  private func past(of patch: PatchStatus) -> [[String]] {
    patch.overrides.compactMap { $0.bypassText.map { ["\(patch.name): \($0)"] } }
  }
}

extension OverrideStatus {
  /// How many calls did not enter Lua, and why; nil: all did.
  var bypassText: String? {
    guard let count = bypassed, count > 0 else { return nil }
    let reasons = bypassReasons ?? []
    return "\(counted(count, "call")) went past \(qualifiedName)"
      + (reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))")
  }
}

extension PatchStatus {
  /// `active`, `active, kept`, `active, trial 9m 30s`, `active, expired`.
  var stateText: String {
    var parts = [state.rawValue]
    if isExpired == true { parts.append("expired") }
    if isKept == true { parts.append("kept") }
    if let selection { parts.append(selection) }
    if let left = trialSecondsLeft { parts.append("trial \(DurationText.of(left))") }
    return parts.joined(separator: ", ")
  }
}

extension ErrorReport {
  /// The message with its place; Lua's own messages begin with it already.
  var located: String {
    let place = "\(file):\(line):"
    return message.hasPrefix(place) ? message : "\(place) \(message)"
  }
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

/// What a daemon says would come of an apply.
struct DryRunReport {
  /// What `apply --dry-run --json` prints.
  struct Document: Encodable {
    let daemon: DaemonInfo
    let dryRun = true
    let checked: [CheckReport.Checked]
    let endedPatches: [String]

    private enum CodingKeys: String, CodingKey { case daemon, dryRun, checked, endedPatches }
  }

  private let daemon: DaemonInfo
  private let title: String
  private let report: CheckReport

  /// Asks a daemon. One that does not know the request refuses it, and changes nothing.
  init(of request: ApplyRequest, by daemon: borrowing Daemon) throws(CommandError) {
    let report = try daemon.send(CheckRequest(check: request))
    self.report = report
    self.daemon = daemon.info
    title = daemon.title
  }

  var document: Document {
    Document(daemon: daemon, checked: report.checked, endedPatches: report.endedPatches)
  }

  var lines: [String] {
    report.checked.flatMap(lines) + report.endedPatches.map { "would end \($0)" }
      + ["nothing was changed"]
  }

  private func lines(_ patch: CheckReport.Checked) -> [String] {
    let what = "\(patch.name) version \(patch.version)"
    if patch.isUnchanged { return ["unchanged: \(what) is live in \(title) already"] }
    let replaced = patch.replacedVersion.map { ", in place of version \($0)" } ?? ""
    let head = "would apply \(what) to \(title): "
    let overrides = counted(patch.overrides.count, "override")
    return [head + overrides + replaced] + patch.overrides.map { "  " + Self.line($0) }
      + patch.methods.map { "  \($0) (added)" }
      + patch.awaitedModules.map { "  what it overrides in \($0), once that is loaded" }
  }

  private static func line(_ override: CheckReport.Override) -> String {
    let kind = override.kind == .override ? "" : " (\(override.kind))"
    let place = override.place.isEmpty ? "" : "  \(override.place)"
    let others =
      override.others.isEmpty
      ? "" : " (overridden by \(override.others.joined(separator: ", ")) too)"
    return override.name + kind + place + others
  }

  /// What the author should know although the patches would go live.
  func warn(_ console: Console) {
    for patch in report.checked {
      for warning in patch.warnings { console.warn("\(patch.name): \(warning)") }
    }
  }
}

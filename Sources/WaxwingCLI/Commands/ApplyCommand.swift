// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// `waxwing apply`: loads patches into a running program.
struct ApplyCommand: Command {
  let name = "apply"
  let summary = "loads patches into a running program"
  let usage = [
    "PATCH… [--replace] [--any-version] [--if-current ID] [--keep] [--trial TIME] "
      + "[--calls PERCENT [--key EXPR]] [--when EXPR] [--program NAME | --socket PATH] [--wait TIME] [--dry-run] [--json]"
  ]
  let arguments = [
    Argument(
      "PATCH", "a .lua file, a folder with main.lua and its modules, or - for standard input",
      .patchFile)
  ]
  let options =
    [Option.replace, .anyVersion, .ifCurrent, .keep, .trial] + Option.selection
    + [.dryRun] + Option.daemon
    + [.wait, .json]
  let notes = [
    """
    Several patches are one transaction: either all are loaded or none, and calls see all of them
    from the same moment on. A patch replaces a live one of the same name; --replace ends all
    others. Without --program or --socket, the daemon is the one that the manifests name, or the
    only one that is running.
    """,
    """
    A patch does not replace one of the same name that has a higher version, or the same version
    with other content, unless --any-version is given. Patches without a version always do. With
    --if-current, nothing is applied if the live patches have changed since `waxwing status` showed
    the ID.
    """,
    """
    Patches are live until the program ends. With --keep they are live again after each start. With
    --trial they end by themselves after the time, and what was live before comes back, unless
    `waxwing confirm` confirms them; with --keep they are then kept.
    """,
    """
    With --calls, --when, or both, only some calls go through the patches, and others to the original.
    The expressions are Lua, with self and args (args[1] is the first argument). --calls 1% chooses
    calls at random. With --key, all calls for which EXPR has the same value are chosen alike, and others
    join them when the percentage grows. Such patches have no classes, conformances or advice, and are
    not kept. Apply them again without these options for all calls.
    """,
    """
    With --dry-run the daemon loads the patches with all of these options, makes every check, says
    what would be overridden or why it would reject them, and ends their scripts again. No patch
    goes live or ends, no function is changed, and no callback of a patch runs. A script's own
    statements do run.
    """,
    """
    The signature beside a patch is sent along: PATCH.sig, PATCH.minisig, or in a folder
    SHA256SUMS.sig or SHA256SUMS.minisig. `waxwing sign` makes one. A daemon rejects unsigned
    patches unless its host allows them. A patch from standard input has no signature.
    """,
  ]
  let examples = [
    "waxwing apply overdraft.lua", "waxwing apply fees/ rounding.lua --program bankd",
    "waxwing apply --replace all-of-november/", "waxwing apply overdraft.lua --trial 10m --keep",
    "waxwing apply fees/ --dry-run", "waxwing apply fees/ --calls 1% --key 'self.id'",
  ]
  let argumentCount = 1...64

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let report: ApplyReport

    private enum CodingKeys: String, CodingKey {
      case daemon, applied, endedPatches, laggards
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(daemon, forKey: .daemon)
      try container.encode(report.applied, forKey: .applied)
      try container.encode(report.endedPatches, forKey: .endedPatches)
      try container.encode(report.laggards, forKey: .laggards)
    }
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let patches = try CheckedPatch.all(at: arguments.positional)
    let locator = try DaemonLocator(arguments)
    let path = try locator.path(patchProgram: try CheckedPatch.program(of: patches))
    let wait = try arguments.seconds("--wait") ?? 10
    let daemon = try Daemon(at: path, arguments, waitSeconds: wait)
    for patch in patches { try patch.check(isFor: daemon.info) }
    if arguments.has(.ifCurrent), daemon.info.current == nil {
      throw CommandError(
        .refused, "\(daemon.title) is of an older version, which does not know --if-current",
        remedy: "apply without it")
    }
    let request = ApplyRequest(
      patches: patches.map(\.payload),
      options: .init(
        waitSeconds: wait, replacesAll: arguments.has(.replace), keeps: arguments.has(.keep),
        trialSeconds: try arguments.time("--trial"), ifCurrent: arguments["--if-current"],
        acceptsAnyVersion: arguments.has(.anyVersion),
        selection: try SelectionPayload(arguments, command: name)))
    if arguments.has(.dryRun) {
      let report = try DryRunReport(of: request, by: daemon)
      if arguments.has(.json) {
        try console.print(json: report.document)
      } else {
        console.print(report.lines)
      }
      report.warn(console)
      return .success
    }
    let report = try daemon.send(request)
    if arguments.has(.json) {
      try console.print(json: Document(daemon: daemon.info, report: report))
    } else {
      console.print(lines(report, daemon.title))
    }
    for applied in report.applied {
      for warning in applied.warnings { console.warn("\(applied.patch.name): \(warning)") }
    }
    for laggard in report.laggards {
      let lines = RestoreOutcome.lines(laggard)
      console.warn("still inside " + lines[0], details: Array(lines.dropFirst()))
    }
    return .success
  }

  private func lines(_ report: ApplyReport, _ daemon: String) -> [String] {
    report.applied.flatMap { lines($0, daemon) } + report.endedPatches.map { "ended \($0)" }
  }

  private func lines(_ applied: ApplyReport.Applied, _ daemon: String) -> [String] {
    let patch = applied.patch
    let what = "\(patch.name) version \(patch.version)"
    if applied.isUnchanged { return ["unchanged: \(what) is live in \(daemon) already"] }
    let overrides = counted(patch.overrides.count, "override")
    let replaced = applied.replacedVersion.map { ", in place of version \($0)" } ?? ""
    let part = patch.selection.map { ", for \($0)" } ?? ""
    let head = "applied \(what) to \(daemon): \(overrides)\(replaced)\(part)"
    return [head] + patch.overrides.map { "  " + $0.qualifiedName }
  }
}

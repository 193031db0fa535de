// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches

/// `waxwing apply`: loads patches into a running program.
struct ApplyCommand: Command {
  let name = "apply"
  let summary = "loads patches into a running program"
  let usage = ["PATCH… [--program NAME | --socket PATH] [--wait SECONDS] [--json]"]
  let arguments = [HelpEntry("PATCH", "a .lua file, or a folder with main.lua and its modules")]
  let options = Option.daemon + [.wait, .json]
  let notes = [
    """
    Every patch is checked before anything is sent, then each is loaded all or nothing. A patch
    of the same name is replaced. Without --program or --socket the daemon is the one that the
    patch's manifest names, or the only one that is running.
    """
  ]
  let examples = [
    "waxwing apply overdraft.lua", "waxwing apply fees/ rounding.lua --program bankd",
  ]
  let argumentCount = 1...64

  private struct Document: Encodable {
    let daemon: DaemonInfo
    let applied: [ApplyReport]
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let patches = try CheckedPatch.all(at: arguments.positional)
    let locator = try DaemonLocator(arguments)
    let path = try locator.path(patchProgram: try CheckedPatch.program(of: patches))
    let wait = try arguments.seconds("--wait") ?? 10
    let daemon = try Daemon(at: path, arguments, waitSeconds: wait)
    for patch in patches { try patch.check(isFor: daemon.info) }
    let asJSON = arguments.has(.json)
    var reports: [ApplyReport] = []
    let failure = send(patches, to: daemon, wait) { report in
      reports.append(report)
      if !asJSON { console.print(text(report, daemon.title)) }
      for warning in report.warnings { console.warn("\(report.patch.name): \(warning)") }
    }
    if asJSON { console.print(try JSONText.of(Document(daemon: daemon.info, applied: reports))) }
    if let failure { throw reports.isEmpty ? failure : partial(failure, reports, patches.count) }
    return .success
  }

  /// Stops at the first refusal and returns it.
  private func send(
    _ patches: [CheckedPatch], to daemon: borrowing Daemon, _ wait: Double,
    each: (ApplyReport) -> Void
  ) -> CommandError? {
    do throws(CommandError) {
      for patch in patches {
        let request = ApplyRequest(files: patch.payload, options: .init(waitSeconds: wait))
        guard case .applied(let report) = try daemon.send(.apply(request)) else {
          return CommandError(Daemon.mismatch(name))
        }
        each(report)
      }
      return nil
    } catch {
      return error
    }
  }

  private func partial(
    _ failure: CommandError, _ reports: [ApplyReport], _ count: Int
  ) -> CommandError {
    let names = reports.map(\.patch.name).joined(separator: ", ")
    return CommandError(
      .partial, "\(reports.count) of \(count) patches applied (\(names)): \(failure.message)",
      details: failure.details, remedy: failure.remedy)
  }

  private func text(_ report: ApplyReport, _ daemon: String) -> String {
    let patch = report.patch
    let what = "\(patch.name) version \(patch.version)"
    if report.isUnchanged { return "unchanged: \(what) is live in \(daemon) already" }
    let overrides = counted(patch.overrides.count, "override")
    let replaced = report.replacedVersion.map { ", in place of version \($0)" } ?? ""
    let head = "applied \(what) to \(daemon): \(overrides)\(replaced)"
    return ([head] + patch.overrides.map { "  " + $0.qualifiedName }).joined(separator: "\n")
  }
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// One run of patches' tests in a daemon: before the patches are live, while they are live, and
/// after they have ended.
struct TestRun {
  /// The phases in their order.
  static let phases = ["baseline", "patched", "restored"]

  private let socket: String
  private let arguments: ParsedArguments
  private let patches: [CheckedPatch]
  private let tests: [PatchTests]

  /// - Parameter socket: The daemon's.
  init(
    _ patches: [CheckedPatch], _ tests: [PatchTests], at socket: String,
    _ arguments: ParsedArguments
  ) {
    self.socket = socket
    self.arguments = arguments
    self.patches = patches
    self.tests = tests
  }

  /// Reports the results of each phase, and returns the daemon. The daemon is left as it was in any case: if the tool
  /// is killed, the patches that it has applied end by themselves.
  func run(
    _ phase: (String, [TestResult]) -> Void
  ) throws(CommandError) -> DaemonInfo {
    let daemon = try checkAbsence()
    Interruption.catchSignals()
    var live: [String] = []
    do throws(CommandError) {
      try apply(tests.map(\.payload))
      live = tests.map(\.name)
      for name in Self.phases {
        if name == "patched" {
          try apply(patches.map(\.payload))
          live += patches.map(\.manifest.name)
        } else if name == "restored" {
          try end(patches.map(\.manifest.name))
          live.removeLast(patches.count)
        }
        guard !Interruption.hasCome else { throw CommandError(.failure, "interrupted") }
        phase(name, try results(name))
      }
    } catch {
      try? end(live)
      throw error
    }
    try end(live)
    return daemon
  }

  /// Fails if a patch is live already: its tests would find no baseline, and the patch would end
  /// with them.
  private func checkAbsence() throws(CommandError) -> DaemonInfo {
    let daemon = try Daemon(at: socket, arguments)
    for patch in patches { try patch.check(isFor: daemon.info) }
    let names = patches.map(\.manifest.name) + tests.map(\.name)
    guard let name = names.first(where: daemon.info.patches.contains) else { return daemon.info }
    throw CommandError(
      .conflict, "\(name) is live in \(daemon.title), so that there is no baseline to test",
      remedy: "run the tests in another process of the program, or `waxwing revert \(name)` first")
  }

  private func apply(_ patches: [ApplyRequest.Patch]) throws(CommandError) {
    let daemon = try Daemon(at: socket, arguments)
    let request = ApplyRequest(patches: patches, options: .init(trialSeconds: Self.lifetime))
    _ = try daemon.send(request)
  }

  /// The seconds after which the tested patches end by themselves.
  private static let lifetime = 600.0

  /// Ends the patches, newest first.
  private func end(_ names: [String]) throws(CommandError) {
    for name in names.reversed() {
      let daemon = try Daemon(at: socket, arguments, waitSeconds: 10)
      let request = RevertRequest(name: name, waitSeconds: 10, now: false)
      _ = try daemon.send(request)
    }
  }

  private func results(_ phase: String) throws(CommandError) -> [TestResult] {
    var results: [TestResult] = []
    for test in tests {
      let seconds = try arguments.seconds("--timeout") ?? 30
      let daemon = try Daemon(at: socket, arguments, waitSeconds: seconds)
      let request = CallRequest(
        name: test.message, message: "\"\(phase)\"", waitSeconds: 0, timeoutSeconds: seconds)
      let reply = try daemon.send(request)
      results += try test.results(reply)
    }
    return results
  }
}

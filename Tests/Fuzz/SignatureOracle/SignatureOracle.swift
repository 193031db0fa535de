// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom
import WaxwingPatches
import WaxwingTestSupport

/// Compares this engine's verdicts with those of `ssh-keygen -Y verify` and `minisign -V` on patches,
/// signatures and key lists that were changed at random.
package struct SignatureOracle {
  /// How a run went.
  package struct Outcome {
    package var rounds = 0
    /// How many of them both accepted: neither of the two counts may be small.
    package var accepted = 0
    /// What the verdicts differ on, in words.
    package var differences: [String] = []
  }

  private let tools: StockTools
  private let material: Material

  package init() throws {
    tools = try StockTools()
    material = try Material(tools)
  }

  package func run(rounds: Int, seed: UInt64) throws -> Outcome {
    var random = SeededGenerator(seed: seed)
    var outcome = Outcome()
    while outcome.rounds < rounds {
      let trials = (0..<min(250, rounds - outcome.rounds)).map { _ in material.trial(&random) }
      let verdicts = try verdicts(trials)
      for (trial, isAccepted) in zip(trials, verdicts) {
        outcome.rounds += 1
        let refusal = trial.refusal
        if isAccepted != (refusal == nil) {
          outcome.differences.append(try describe(trial, isAccepted, refusal?.description))
        } else if isAccepted {
          outcome.accepted += 1
        }
      }
    }
    return outcome
  }

  /// What the tools say to each.
  private func verdicts(_ trials: [Trial]) throws -> [Bool] {
    var script = "verify() { if \"$@\" > out 2>&1; then echo yes; else echo no; fi; }\n"
    for (index, trial) in trials.enumerated() {
      for (suffix, bytes) in [
        ("lua", trial.patch), ("sig", trial.signature), ("signers", trial.signers),
        ("revoked", trial.revoked),
      ] { try tools.folder.write(bytes, to: "\(index).\(suffix)") }
      switch trial.tool {
      case .ssh:
        let revoked = trial.revoked.isEmpty ? "" : "-r \(index).revoked"
        script += """
          verify ssh-keygen -Y verify -n waxwing-patch -I \(Trial.name) -f \(index).signers \
          -O verify-time=\(Self.moment(trial.time)) -s \(index).sig \(revoked) < \(index).lua

          """
      case .minisign:
        script += """
          verify minisign -V -q -m \(index).lua -x \(index).sig -P "$(cat \(index).signers)"

          """
      }
    }
    try tools.folder.write(script.utf8, to: "script")
    let lines = try tools.run("bash script").split(separator: "\n")
    guard lines.count == trials.count else {
      throw TestSupportError("\(lines.count) verdicts for \(trials.count) trials")
    }
    return lines.map { $0 == "yes" }
  }

  /// Seconds as `ssh-keygen` takes them.
  static func moment(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyyMMddHHmmss'Z'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
  }

  private func describe(_ trial: Trial, _ isAccepted: Bool, _ refusal: String?) throws -> String {
    func shown(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).debugDescription
    }
    return """
      \(trial.tool) \(isAccepted ? "accepts" : "refuses"), this engine says: \(refusal ?? "accepted")
        time \(trial.time)
        patch \(shown(trial.patch))
        signature \(shown(trial.signature))
        signers \(shown(trial.signers))
        revoked \(shown(trial.revoked))
      """
  }
}

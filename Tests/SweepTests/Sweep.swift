// SPDX-License-Identifier: MIT

import Foundation
import WaxwingTestSupport

/// A patch that the daemon is to run its workload under.
struct SweepCommand: Encodable {
  let name: String
  let patch: String
}

/// What the daemon says of its run without a patch.
struct SweepBaseline: Decodable {
  let lines: Int
  let left: [String]
  let unstable: [String]
}

/// What the daemon says of a patch.
struct SweepReport: Decodable {
  let name: String
  let refused: String?
  let differing: Int
  let differences: [String]
  let faults: [String]
  let calls: [String: Int]
  let bypassed: Int
  let left: [String: Int]
  let unrestored: [String]

  /// What the patch changed, in a sentence; nil: nothing.
  var change: String? {
    if let refused { return "refused: \(refused)" }
    if let difference = differences.first { return "changed \(differing) lines: \(difference)" }
    if let fault = faults.first { return "failed: \(fault)" }
    if !left.isEmpty { return "left alive: \(left)" }
    return unrestored.isEmpty ? nil : "not restored: \(unrestored)"
  }
}

/// Runs the fixture's workload under patches, one after the other, in one process for as long as none
/// of them ends it.
struct Sweep {
  /// By name; what ended the process for those that did.
  private(set) var reports: [String: SweepReport] = [:]
  private(set) var crashes: [String: String] = [:]
  private(set) var baseline: SweepBaseline?
  private let directory: TemporaryDirectory

  init(_ commands: [SweepCommand]) throws {
    directory = try TemporaryDirectory()
    var rest = commands[...]
    repeat { try run(&rest) } while !rest.isEmpty
  }

  /// What each patch changed, those that changed nothing left out.
  var changes: [String: String] {
    reports.compactMapValues(\.change).merging(crashes) { change, _ in change }
  }

  private mutating func run(_ commands: inout ArraySlice<SweepCommand>) throws {
    let encoder = JSONEncoder()
    let lines = try commands.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let input = try directory.write(lines.map { $0 + "\n" }.joined(), to: "commands")
    let process = try Command(
      "/bin/sh", ["-c", #"exec "$0" --serve < "$1""#, try BuiltProduct("sweepd").path, input],
      environment: ["WAXWING_LOG_DIR": "off", "SWIFT_BACKTRACE": "enable=no"]
    ).start()
    let status = try process.waitForExit(timeout: .seconds(600))
    let answers = process.standardOutput.split(separator: "\n").map { Data($0.utf8) }
    let decoder = JSONDecoder()
    guard let first = answers.first else {
      throw TestSupportError("sweepd \(status): \(process.standardError)")
    }
    baseline = try decoder.decode(SweepBaseline.self, from: first)
    for (command, answer) in zip(commands, answers.dropFirst()) {
      let report = try decoder.decode(SweepReport.self, from: answer)
      guard report.name == command.name else { throw TestSupportError("answers out of order") }
      reports[command.name] = report
    }
    commands = commands.dropFirst(answers.count - 1)
    guard let ended = commands.popFirst() else { return }
    let reason = process.standardError.split(separator: "\n").first ?? ""
    crashes[ended.name] = "the process \(status) \(reason)"
  }
}

// SPDX-License-Identifier: MIT

import Glibc
internal import WaxwingBridge
import WaxwingControl
import WaxwingPatches
import WaxwingToolKit

/// All findings about some patches.
struct CheckResult {
  /// The output of `check --json`.
  struct Document: Encodable {
    struct Entry: Encodable {
      let severity, rule, path: String
      let line, column: Int
      let message, remedy: String
      let details: [String]
    }

    /// The program that the patches were compared with; null if there is none.
    let program: String?
    let errors, warnings: Int
    let findings: [Entry]

    private enum Key: String, CodingKey { case program, errors, warnings, findings }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(program, forKey: .program)
      try container.encode(errors, forKey: .errors)
      try container.encode(warnings, forKey: .warnings)
      try container.encode(findings, forKey: .findings)
    }
  }

  private let patches: [PatchText]
  /// The title of the program; nil if there is none.
  private let title: String?
  private(set) var findings: [Finding]

  init(_ patches: [PatchText], _ program: ProgramNames?, title: String?) {
    self.patches = patches
    self.title = title
    let found = patches.flatMap { $0.findings + NameCheck($0, program).findings }
    findings = found.inOrder(of: patches.flatMap(\.paths))
  }

  /// Asks a daemon for its names, and then whether it would apply the patches.
  /// - Parameter isStatic: Whether it is asked for the names only: to say whether it would apply them it runs
  ///   their statements.
  init(
    _ patches: [PatchText], _ daemon: borrowing Daemon, isStatic: Bool
  ) throws(CommandError) {
    let overrides = patches.flatMap(\.files).flatMap(\.outline.overrides)
    let names = try ProgramNames(
      of: daemon, withClosures: overrides.contains { ClosureNames.isClosure($0.name) })
    self.init(patches, names, title: daemon.title)
    if !names.isComplete, kill(daemon.info.pid, 0) == 0 || errno == EPERM, let patch = patches.first
    {
      findings.append(Self.unread(patch))
    }
    if isStatic { return }
    let payloads = patches.compactMap(\.payload)
    // All or none, as they would be applied.
    guard payloads.count == patches.count else { return }
    do throws(CommandError) {
      let report = try daemon.send(CheckRequest(check: ApplyRequest(patches: payloads)))
      for (patch, checked) in zip(patches, report.checked) { add(checked.warnings, patch) }
    } catch  where error.exitCode == .refused {
      add(error)
    }
    findings = findings.inOrder(of: patches.flatMap(\.paths))
  }

  /// Where this user may not read what the daemon runs.
  private static func unread(_ patch: PatchText) -> Finding {
    Finding(
      severity: .note, rule: .daemon, path: patch.paths.dropFirst().first ?? patch.path, line: 1,
      column: 1,
      message: "the program's file cannot be read: only its patch points were compared",
      remedy: "check as the daemon's user, or with the program's file")
  }

  /// Adds an error of the daemon, unless its place has the same finding already.
  private mutating func add(_ error: CommandError) {
    let place = place(of: error.message)
    let isKnown = findings.contains {
      $0.severity == .error && $0.path == place.path && $0.line == place.line
    }
    guard !isKnown else { return }
    findings.append(
      Finding(
        severity: .error, rule: .daemon, path: place.path, line: place.line, column: 1,
        message: place.message, remedy: error.remedy == Self.aboutApply ? "" : error.remedy,
        details: error.details))
  }

  /// A remedy of the daemon's that only tells something after an apply, so that a check does not show it.
  private static let aboutApply = "nothing was changed"

  private mutating func add(_ warnings: [String], _ patch: PatchText) {
    for warning in warnings {
      let place = place(of: warning)
      let isKnown = findings.contains {
        $0.severity != .note && $0.path == place.path && $0.line == place.line
      }
      if isKnown, place.message != warning { continue }
      findings.append(
        Finding(
          severity: .note, rule: .daemon,
          path: place.message == warning
            ? patch.paths.dropFirst().first ?? patch.path : place.path,
          line: place.line, column: 1, message: place.message))
    }
  }

  /// The parts of `overdraft.lua:3: …`; a message without a place is about the first patch.
  private func place(of message: String) -> (path: String, line: Int, message: String) {
    for patch in patches {
      for file in patch.source?.files ?? [] where message.hasPrefix(file.name + ":") {
        let rest = message.dropFirst(file.name.utf8.count + 1)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let line = Int(digits), rest.dropFirst(digits.count).first == ":" else {
          return (patch.path(of: file.name), 1, Self.trimmed(rest))
        }
        return (patch.path(of: file.name), line, Self.trimmed(rest.dropFirst(digits.count + 1)))
      }
    }
    return (patches[0].paths.dropFirst().first ?? patches[0].path, 1, message)
  }

  private static func trimmed(_ text: Substring) -> String { String(text.drop { $0 == " " }) }

  /// `2 patches checked against bankd (pid 4711): 1 error, no warnings`
  var summary: String {
    let against = title.map { " against \($0)" } ?? ""
    let errors = findings.count(.error)
    let warnings = findings.count(.warning)
    let count = counted(patches.count, "patch", plural: "patches")
    return "\(count) checked\(against): \(errors == 0 ? "no errors" : counted(errors, "error"))"
      + (warnings == 0 ? "" : ", \(counted(warnings, "warning"))")
  }

  var document: Document {
    Document(
      program: title, errors: findings.count(.error), warnings: findings.count(.warning),
      findings: findings.map {
        Document.Entry(
          severity: $0.severity.rawValue, rule: $0.rule.rawValue, path: $0.path, line: $0.line,
          column: $0.column, message: $0.message, remedy: $0.remedy, details: $0.details)
      })
  }
}

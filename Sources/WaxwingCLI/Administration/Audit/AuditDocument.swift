// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// Records of an audit log as `--json` has them: with the names that all documents of the tool have. The
/// file itself is what the chain of hashes is of.
struct AuditDocument: Encodable {
  /// The log's path.
  private let log: String
  private let records: [JSONValue]

  init(log: String, lines: [String]) {
    self.log = log
    records = lines.map { line in
      let record = JSONValue(parsing: line)
      return if case .object = record { record.renamed(Self.name) } else {
        .object(["unreadable": .text(line)])
      }
    }
  }

  /// A name in camel case: `daemon_pid` becomes `daemonPid`.
  private static func name(_ name: String) -> String {
    let words = name.split(separator: "_")
    guard let first = words.first, words.count > 1 else { return name }
    return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

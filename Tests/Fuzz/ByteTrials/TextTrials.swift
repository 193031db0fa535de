// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingOperations
import WaxwingPatches

extension ByteTrial {
  private static let limits = ["instructions", "most-memory"]

  /// Configuration files. Names of accounts are numbers here: looking up random ones asks the system.
  public static let configurations = ByteTrial(
    name: "configuration files",
    samples: [
      """
      # Who may do what.
      observe = group:50, user:0
      operate = group:50
      unsigned = refuse
      audit = /var/log/waxwing/bankd.audit
      limits.instructions = allow 20k
      limits.most-memory = 1G
      protect Bank.Auth.*, *.password
      signer alice@ops may override Orders.*, Pricing.*

      """, "own = user:0\nsocket-group = 7\naudit-required = no\n",
    ].map { Array($0.utf8) }
  ) { bytes in
    do throws(ConfigurationErrors) {
      _ = try ConfigurationReader.parse(bytes, file: "fuzz.conf", limitNames: limits)
      return .accepted
    } catch {
      return error.errors.isEmpty ? .mistake("it is refused without a reason") : .refused
    }
  }

  /// Audit logs. A damaged one has a breach, or ends elsewhere.
  public static let auditLogs = ByteTrial(name: "audit logs", samples: [log]) { bytes in
    let verdict = AuditVerdict(files: [("fuzz.audit", bytes)])
    if verdict.breach != nil { return .refused }
    let whole = AuditVerdict(files: [("whole", log)])
    // A line break less at the end, or a half line more, leaves the records as they are.
    let sameRecords = bytes.starts(with: log.dropLast())
    guard verdict.head == whole.head, !sameRecords else { return .accepted }
    return .mistake("the damage shows nowhere")
  }

  /// A log as the engine writes it.
  private static let log: [UInt8] = {
    var lines: [String] = []
    var previous = AuditLink.none
    for number in 1...4 {
      var line = JSONLine()
      line.add("n", number)
      line.add("time", "2026-01-02T03:04:05Z")
      line.add("event", "apply")
      line.add("reason", "\"quoted\" \\ and\nbroken")
      line.add("prev", previous)
      lines.append(line.object)
      previous = ContentHash(of: Array(line.object.utf8)).hex
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }()
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingOperations
import WaxwingToolKit

/// `waxwing audit verify`: follows an audit log's chain.
struct AuditVerification {
  /// The log's parts, the oldest first; none: the daemon says where its log is.
  let files: [String]
  private let arguments: ParsedArguments

  init(files: [String], _ arguments: ParsedArguments) {
    self.files = files + [arguments["--file"]].compactMap(\.self)
    self.arguments = arguments
  }

  func run(_ console: Console) throws(CommandError) {
    let (state, daemon) = files.isEmpty ? try askDaemon() : (nil, nil)
    let names = files.isEmpty ? [state?.path].compactMap(\.self) : files
    var parts: [(name: String, bytes: [UInt8])] = []
    for name in names {
      do throws(AuditError) { parts.append((name, try AuditText.read(name))) } catch {
        throw CommandError(error)
      }
    }
    let verdict = AuditVerdict(files: parts)
    for note in verdict.notes { console.warn(note) }
    if let breach = verdict.breach { throw Self.broken(breach, verdict) }
    if let state { try compare(verdict, state) }
    if console.reportsJSON {
      let document = Document(logs: names, records: verdict.records, head: verdict.head)
      return try console.print(json: document, of: daemon)
    }
    console.print([
      "\(names.joined(separator: ", ")): \(counted(verdict.records, "record")), the chain is complete",
      "head: \(verdict.head)",
    ])
  }

  /// What `--json` prints of a log that is whole.
  private struct Document: Encodable {
    let logs: [String]
    let records: Int
    let head: String
  }

  private func askDaemon() throws(CommandError) -> (AuditState?, DaemonInfo?) {
    let daemon = try Daemon(at: try DaemonLocator(arguments).path(), arguments)
    let excerpt = try daemon.send(AuditRequest(last: 0))
    guard excerpt.state.path != nil else { throw .noAuditLog(daemon.title) }
    return (excerpt.state, daemon.info)
  }

  /// The file may have got further records since the daemon was asked; it cannot have lost any.
  private func compare(_ verdict: AuditVerdict, _ state: AuditState) throws(CommandError) {
    let isShort = verdict.lastNumber < state.records
    guard isShort || (verdict.lastNumber == state.records && verdict.head != state.head) else {
      return
    }
    throw Self.broken(
      isShort
        ? "the file ends with record \(verdict.lastNumber); the daemon has written \(state.records): "
          + "those after it are missing"
        : "the last record is not the one that the daemon wrote", verdict)
  }

  private static func broken(_ breach: String, _ verdict: AuditVerdict) -> CommandError {
    guard verdict.lastNumber > 0 else {
      return CommandError(
        .refused, "the audit log was changed", details: [breach],
        remedy: "no record before that is intact: name the log that the daemon writes")
    }
    return CommandError(
      .refused, "the audit log was changed", details: [breach],
      remedy: "the records up to number \(verdict.lastNumber) are intact, "
        + "head \(verdict.head)")
  }
}

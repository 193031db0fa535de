// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingOperations
import WaxwingSystem

/// Whether the time of day is later than what has happened already.
struct ClockCheck {
  private struct Record: Decodable {
    let time: String
  }

  /// The file of the program.
  let file: String?
  let auditLog: String?

  var diagnoses: [Diagnosis] {
    let now = SystemTime.milliseconds / 1000
    let past = [file.flatMap(written), auditLog.flatMap(recorded)].compactMap(\.self)
    let later = past.filter { $0.seconds > now }
    guard later.isEmpty else {
      return later.map { moment in
        .failure(
          .clock,
          "it is \(UTCDate.text(now)), before \(moment.what) at \(UTCDate.text(moment.seconds))",
          remedy: "set the clock: expiry of patches and the audit log go by it")
      }
    }
    return [.ok(.clock, "it is \(UTCDate.text(now))")]
  }

  private func written(_ path: String) -> (what: String, seconds: Int)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return ("\(path) was written", status.st_mtim.tv_sec)
  }

  /// The last record of the audit log; nil: there is none, or it cannot be read.
  private func recorded(_ path: String) -> (what: String, seconds: Int)? {
    guard let line = try? AuditText.lastLines(1, of: path).last,
      let record = try? JSONDecoder().decode(Record.self, from: Data(line.utf8)),
      let seconds = UTCDate.seconds(record.time)
    else { return nil }
    return ("the last record of \(path)", seconds)
  }
}

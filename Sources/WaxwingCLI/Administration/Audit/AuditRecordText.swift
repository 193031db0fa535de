// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingToolKit

/// Records of an audit log as a table, with the reasons below their records.
struct AuditRecordText {
  let lines: [String]

  private struct Record: Decodable {
    struct Patch: Decodable {
      let name: String
      let version: Int?
      let sha256: String?
      let signer: String?
    }

    let n: Int
    let time: String
    let event: String
    let verdict: String
    let by: String
    let uid: Int?
    let user: String?
    let patches: [Patch]?
    let ended: [Patch]?
    let back: [Patch]?
    let terms: String?
    let reason: String?

    var actor: String {
      guard by == "client" else { return by }
      return user ?? uid.map { "uid \($0)" } ?? by
    }

    /// The lines below the record's row.
    var details: [String] {
      let lists = [("ended", ended), ("back", back)].compactMap { name, patches in
        patches.map { "\(name): \(Self.text($0))" }
      }
      return [terms.map { "for: \($0)" }].compactMap(\.self) + lists
        + [reason].compactMap(\.self)
    }

    var patchText: String { Self.text(patches ?? []) }

    private static func text(_ patches: [Patch]) -> String {
      patches.map { patch in
        let version = patch.version.map { " \($0)" } ?? ""
        let hash = patch.sha256.map { " (\($0.prefix(12)))" } ?? ""
        let signer = patch.signer.map { " by \($0)" } ?? ""
        return patch.name + version + hash + signer
      }.joined(separator: ", ")
    }
  }

  func shown(_ title: String) -> [String] {
    guard !lines.isEmpty else { return ["\(title): no records"] }
    var table = TextTable(columns: [
      .number("N"), "TIME", "EVENT",
      "VERDICT", "BY", "PATCHES",
    ])
    let records = lines.map { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    for record in records {
      guard let record else {
        table.rows.append(["?", "", "(not a record that this tool knows)", "", "", ""])
        continue
      }
      table.rows.append([
        "\(record.n)", record.time, record.event, record.verdict, record.actor, record.patchText,
      ])
    }
    // The table's lines are the titles and one for each record.
    let rows = table.lines
    var shown = [rows[0]]
    for (row, record) in zip(rows.dropFirst(), records) {
      shown.append(row)
      shown += (record?.details ?? []).map { "      " + $0 }
    }
    return shown
  }
}

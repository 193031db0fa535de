// SPDX-License-Identifier: MIT

/// Where a table of statements gets its cells.
public protocol StatementSource: AnyObject {
  /// How many rows there are.
  func rowCount(of table: StatementTable) -> Int
  /// What stands in a row, counted from 0.
  func label(of table: StatementTable, row: Int) -> String
}

/// Hears of what a table does.
public protocol StatementTableDelegate: AnyObject {
  /// All rows have been asked for.
  func table(_ table: StatementTable, didShow rows: Int)
  /// What the table is called; nil: it has no heading.
  var heading: String? { get }
}

extension StatementTableDelegate {
  public func table(_ table: StatementTable, didShow rows: Int) {}
}

/// The delegate of tables that nobody listens to.
final class PlainTable: StatementTableDelegate {
  var heading: String? { nil }
}

/// An account's entries, as lines of text for people to read.
public final class StatementTable {
  let account: Account
  var source: any StatementSource
  weak var delegate: (any StatementTableDelegate)?

  init(_ account: Account, source: any StatementSource) {
    self.account = account
    self.source = source
  }

  /// The heading, if there is one, and the rows.
  func lines() -> [String] {
    let heading = delegate?.heading
    let rows = (0..<source.rowCount(of: self)).map { source.label(of: self, row: $0) }
    delegate?.table(self, didShow: rows.count)
    return [heading ?? nil].compactMap(\.self) + rows
  }
}

/// A row for each of an account's entries.
class EntrySource: StatementSource {
  let entries: [Entry]

  init(_ entries: [Entry]) {
    self.entries = entries
  }

  func rowCount(of table: StatementTable) -> Int { entries.count }

  func label(of table: StatementTable, row: Int) -> String {
    let entry = entries[row]
    return "\(entry.sequence). \(entry.memo): \(Money(cents: entry.amount))"
  }
}

extension Account {
  /// A table of the latest entries.
  func makeTable(limit: Int) -> StatementTable {
    let table = StatementTable(self, source: EntrySource(entries.suffix(limit)))
    table.delegate = tableDelegate
    return table
  }
}

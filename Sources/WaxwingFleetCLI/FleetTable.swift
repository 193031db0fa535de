// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// Aligned columns with a line of titles.
package struct FleetTable {
  private let titles: [String]
  /// The cells of each line.
  package var rows: [[String]] = []

  /// Creates an empty table.
  package init(_ titles: [String]) { self.titles = titles }

  /// The table, a line per row, no spaces at line ends.
  package var lines: [String] {
    let lines = [titles] + rows.map { $0.map { VisibleText.line($0) } }
    let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      let padded = titles.indices.map { column in
        cells[column] + String(repeating: " ", count: widths[column] - cells[column].count)
      }
      return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
  }
}

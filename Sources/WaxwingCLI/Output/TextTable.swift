// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// Aligned columns with a line of titles.
struct TextTable {
  /// A column; numbers stand to the right.
  struct Column {
    let title: String
    var isNumber = false
  }

  let columns: [Column]
  var rows: [[String]] = []

  /// The table, a line per row, no spaces at line ends. Cells are made safe to show here, as that changes
  /// their widths.
  var lines: [String] {
    let lines = [columns.map(\.title)] + rows.map { $0.map { VisibleText.line($0) } }
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      let padded = columns.indices.map { column in
        pad(cells[column], to: widths[column], left: columns[column].isNumber)
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func pad(_ text: String, to width: Int, left: Bool) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return left ? space + text : text + space
  }
}

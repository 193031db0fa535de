// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// Aligned columns with a line of titles.
package struct TextTable {
  /// A column; numbers stand to the right.
  package struct Column: ExpressibleByStringLiteral {
    let title: String
    let isNumber: Bool

    private init(title: String, isNumber: Bool) {
      self.title = title
      self.isNumber = isNumber
    }

    package init(stringLiteral title: String) { self.init(title: title, isNumber: false) }

    package static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  private let columns: [Column]
  package var rows: [[String]] = []

  package init(columns: [Column]) { self.columns = columns }

  /// The table, a line per row, no spaces at line ends. Cells are made safe to show here, as that changes
  /// their widths.
  package var lines: [String] { lines(within: Terminal.columns) }

  /// The table, at most so wide if possible: long cells are cut and end in `…`, numbers never.
  func lines(within most: Int?) -> [String] {
    let lines = [columns.map(\.title)] + rows.map { $0.map { VisibleText.line($0) } }
    var widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    if let most { narrow(&widths, to: most) }
    return lines.map { cells in
      let padded = columns.indices.map { column in
        let cell = Self.cut(cells[column], to: widths[column])
        return pad(cell, to: widths[column], left: columns[column].isNumber)
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// A column that is narrower tells nothing any more.
  private static let leastWidth = 8

  /// Takes from the widest columns of text until the table fits, or all of them are narrow.
  private func narrow(_ widths: inout [Int], to most: Int) {
    var excess = widths.reduce(2 * (widths.count - 1), +) - most
    let texts = columns.indices.filter { !columns[$0].isNumber }
    while excess > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.leastWidth
    {
      widths[widest] -= 1
      excess -= 1
    }
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  private func pad(_ text: String, to width: Int, left: Bool) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return left ? space + text : text + space
  }
}

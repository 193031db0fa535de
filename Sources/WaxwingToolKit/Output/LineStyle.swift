// SPDX-License-Identifier: MIT

/// Chooses the lines of an output that are coloured on a terminal. The lines come here without
/// anything that could control a terminal.
package enum LineStyle {
  case plain
  /// A table, with its titles in the first line.
  case table
  /// The output of `waxwing status`.
  case status
  /// Lines `FILE:LINE:COLUMN: error: …`.
  case findings
  /// Errors, warnings and hints of the tool.
  case messages

  func coloured(_ lines: [String]) -> [String] {
    switch self {
    case .plain: lines
    case .table: lines.prefix(1).map { Self.bold + $0 + Self.end } + lines.dropFirst()
    case .status: lines.map { Self.coloured($0, words: Self.states, after: "state: ") }
    case .findings: lines.map(Self.finding)
    case .messages: lines.map { Self.coloured($0, words: Self.kinds, after: "waxwing: ") }
    }
  }

  private static let bold = "\u{1B}[1m"
  private static let red = "\u{1B}[1;31m"
  private static let green = "\u{1B}[32m"
  private static let yellow = "\u{1B}[33m"
  private static let cyan = "\u{1B}[36m"
  private static let end = "\u{1B}[0m"

  private static let states = [("baseline", green), ("patched", yellow), ("degraded", red)]
  private static let kinds = [("error:", red), ("warning:", yellow), ("hint:", cyan)]

  /// A line that begins with `lead` and one of the words, with that word in its colour.
  private static func coloured(
    _ line: String, words: [(text: String, colour: String)], after lead: String
  ) -> String {
    guard line.hasPrefix(lead) else { return line }
    let rest = line.dropFirst(lead.count)
    guard let word = words.first(where: { rest.hasPrefix($0.text) }) else { return line }
    return lead + word.colour + word.text + end + rest.dropFirst(word.text.count)
  }

  private static func finding(_ line: String) -> String {
    guard let match = line.firstMatch(of: #/^[^:]*:\d+:\d+: /#) else { return line }
    return coloured(line, words: kinds + [("note:", cyan)], after: String(match.0))
  }
}

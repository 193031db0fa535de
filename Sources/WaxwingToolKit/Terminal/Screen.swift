// SPDX-License-Identifier: MIT

import Glibc
import WaxwingDeclarations
import WaxwingSystem

/// A terminal that is drawn on as a whole, as long as this lives.
///
/// The few sequences that it needs are those of every terminal since the VT100, and of ECMA-48: a library for
/// them would have to be linked, and would read a database that a container may not have.
package struct Screen: ~Copyable {
  package struct Size: Equatable {
    package var columns = 80
    package var rows = 24
  }

  private var drawn: [String] = []
  private var drawnSize: Size?

  /// Whether standard output is a terminal that can be drawn on.
  package static var isThere: Bool { Terminal.canRewrite(STDOUT_FILENO) }

  /// The other buffer, without a cursor, whose long lines do not wrap.
  package init() { Self.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l") }

  deinit { Self.write("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l") }

  package var size: Size {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return Size() }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Shows lines from the top, as many as there is room for, if they are others than before.
  /// - Parameter lines: Safe to show, and no longer than the screen is wide.
  package mutating func draw(_ lines: [String]) {
    let size = size
    let shown = Array(lines.prefix(size.rows))
    if shown == drawn, size == drawnSize { return }
    (drawn, drawnSize) = (shown, size)
    // Each line is cleared before it is written: what is cleared behind one that is as wide as the screen is
    // its last character.
    let last = shown.last ?? ""
    let others = shown.dropLast().map { "\u{1b}[K\($0)\r\n" }.joined()
    Self.write("\u{1b}[H\(others)\u{1b}[J\(last)")
  }

  private static func write(_ text: String) {
    _ = try? SystemCall.writeAll(Array(text.utf8)[...], to: STDOUT_FILENO)
  }
}

/// How a part of a line looks.
package enum TextStyle: String {
  case bold = "1"
  case faint = "2"
  case reversed = "7"
  case red = "31"
  case yellow = "33"

  /// Whether the style is no colour.
  package var isPlain: Bool { [.bold, .faint, .reversed].contains(self) }

  /// - Parameter text: Safe to show.
  package func applied(to text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}

extension String {
  /// As many characters as fit into the width, with a mark if some were cut off.
  package func cut(to width: Int) -> String {
    count <= width ? self : width < 1 ? "" : prefix(width - 1) + "…"
  }
}

// SPDX-License-Identifier: MIT

import Glibc

/// The terminal that output goes to, if it goes to one.
package enum Terminal {
  /// Whether to colour: on a terminal that can, unless `NO_COLOR` is set to something.
  package static func hasColours(_ descriptor: Int32) -> Bool {
    canRewrite(descriptor) && variable("NO_COLOR")?.isEmpty ?? true
  }

  /// Whether the descriptor is a terminal that understands escapes.
  static func canRewrite(_ descriptor: Int32) -> Bool {
    guard isatty(descriptor) != 0 else { return false }
    return variable("TERM").map { !$0.isEmpty && $0 != "dumb" } ?? false
  }

  /// How many columns standard output has, `COLUMNS` before what the terminal says; nil for pipes and
  /// files, where nothing is ever cut.
  static var columns: Int? {
    guard isatty(STDOUT_FILENO) != 0 else { return nil }
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// Counts the texts about types, functions and errors that this thread makes for people. A call that succeeds makes
/// none, and a test asserts that: such texts take longer than most calls. Only debug builds count.
package enum TextCount {
  /// How many texts there have been.
  package static var ofThread: UInt64 { wax_lua_text_count() }

  @inline(__always)
  static func add() {
    #if DEBUG
      wax_lua_count_text()
    #endif
  }
}

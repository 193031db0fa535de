// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// The limits of one run of a script's code.
package struct CallLimits: Hashable, Sendable {
  /// Lua instructions, and the work of library functions in the same measure; nil for no limit.
  package var instructions: Int?
  /// Milliseconds of the thread's own time: neither waiting counts nor what the program's own code does
  /// that the script calls; nil for no limit.
  package var milliseconds: Int?

  package init(instructions: Int? = nil, milliseconds: Int? = nil) {
    self.instructions = instructions
    self.milliseconds = milliseconds
  }

  package var raw: wax_lua_limits {
    let (nanoseconds, isHuge) = Int64(milliseconds ?? 0).multipliedReportingOverflow(by: 1_000_000)
    return wax_lua_limits(
      instructions: Int64(instructions ?? 0), nanoseconds: isHuge ? .max : nanoseconds)
  }
}

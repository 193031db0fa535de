// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// What a script may use, and what it runs in.
package struct ScriptOptions: Sendable {
  /// Hears of the script, and does for it what only the engine can.
  package let host: any ScriptHost
  /// What the patch is called where the process ends for want of memory.
  package var name = ""
  /// Bytes that the script's Lua state may hold; nil for no limit.
  package var memoryLimit: Int?
  /// What each call from Swift may spend.
  package var callLimits = CallLimits()
  /// What running the script for the first time may spend.
  package var loadLimits = CallLimits()
  /// Whether metatables may have `__mode`.
  package var allowsWeakTables = false
  /// Whether the script runs in several Lua states, each of which has its own.
  package var isParallel = false
  /// How breadcrumbs name the patch; 0: not at all.
  package var breadcrumb: UInt64 = 0
  /// Lua's own libraries, all or those that are safe.
  package var libraries = WAX_LIBRARY_LIBRARIES_SAFE
  /// Errors in overrides of throwing functions.
  package var onError = Override.OnError.original
  /// How many tasks it may have, and begin in a second.
  package var tasks = TaskQuota.Limits(live: 0, perSecond: 0)
  /// What its tasks may take of each second.
  package var taskShare = TaskShare.Limits()
  /// When an override has failed too often.
  package var breaker = Breaker.Limits()
  /// What it is for.
  package var purpose = Purpose.patch
  /// Which calls it takes part in; nil: all.
  package var selection: CallSelection?
  /// How many overrides a thread may be in, one called by the other.
  package var depth = 190

  /// What a script is for.
  package enum Purpose: Sendable {
    /// To change a program.
    case patch
    /// To watch calls for a client. It is the engine's own.
    case watch
    /// To run what somebody types into a live program: overrides may come at any time, and a later one takes
    /// an earlier one's place.
    case shell
  }

  /// Whether it runs what somebody types into a live program.
  package var isShell: Bool { purpose == .shell }

  /// Options without limits.
  package init(_ host: any ScriptHost) { self.host = host }
}

/// The options of one script, which all that it makes has in common.
package final class SharedOptions: Sendable {
  let value: ScriptOptions

  package init(_ value: ScriptOptions) {
    self.value = value
  }
}

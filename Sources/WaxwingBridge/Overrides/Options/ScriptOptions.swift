// SPDX-License-Identifier: MIT

package import CWaxwingLua

/// The host and the limits of a script.
package struct ScriptOptions: Sendable {
  /// Hears of the script, and does for it what only the engine can.
  package let host: any ScriptHost
  /// The patch's name in the message if the process ends for want of memory.
  package var name = ""
  /// Bytes that the script's Lua state may hold; nil for no limit.
  package var memoryLimit: Int?
  /// The limits of each call from Swift.
  package var callLimits = CallLimits()
  /// The limits of loading the script.
  package var loadLimits = CallLimits()
  /// Whether metatables may have `__mode`.
  package var allowsWeakTables = false
  /// Whether functions without a replacement entry may be overridden, by rewriting their code.
  package var allowsCodeEntries = false
  /// Whether overrides may be of functions of which some calls do not see an override.
  package var isPartial = false
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
  /// The share of each second that the tasks may use.
  package var taskShare = TaskShare.Limits()
  /// The limits beyond which an override that fails is switched off.
  package var breaker = Breaker.Limits()
  /// The purpose of the script.
  package var purpose = Purpose.patch
  /// The calls that the script takes part in; nil for all.
  package var selection: CallSelection?
  /// How many overrides a thread may be in, one called by the other.
  package var depth = 190

  /// The purpose of a script.
  package enum Purpose: Sendable {
    /// The script changes a program.
    case patch
    /// The script watches calls for a client. It is the engine's own.
    case watch
    /// The script runs code that a user types into a live program: overrides may come at any time,
    /// and a later one replaces an earlier one.
    case shell
  }

  /// Whether the script runs code that a user types into a live program.
  package var isShell: Bool { purpose == .shell }

  /// Creates options without limits.
  package init(_ host: any ScriptHost) { self.host = host }
}

/// The options of one script, which all that it makes has in common.
package final class SharedOptions: Sendable {
  let value: ScriptOptions

  package init(_ value: ScriptOptions) {
    self.value = value
  }
}

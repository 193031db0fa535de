// SPDX-License-Identifier: MIT

package import CWaxwingLuaLibrary
internal import WaxwingLua
package import WaxwingValues

/// What a script may use, and who hears of it.
package struct ScriptOptions: Sendable {
  /// What the patch is called where the process ends for want of memory.
  package var name = ""
  /// Bytes that the script's Lua state may hold; nil for no limit.
  package var memoryLimit: Int?
  /// What each call from Swift may spend.
  package var callLimits: CallLimits
  /// What running the script for the first time may spend.
  package var loadLimits: CallLimits
  /// Whether metatables may have `__mode`.
  package var allowsWeakTables: Bool
  /// Whether the script runs in several Lua states, each of which has its own.
  package var isParallel: Bool
  /// How breadcrumbs name the patch; 0: not at all.
  package var crumb: UInt64 = 0
  /// Lua's own libraries, all or those that are safe.
  package var libraries: wax_library_libraries
  /// Errors in overrides of throwing functions.
  package var onError: Override.OnError
  package var log: @Sendable (LogLine) -> Void
  package var report: @Sendable (Override, OverrideFault) -> Void
  /// How many tasks it may have, and begin in a second.
  package var tasks: TaskQuota.Limits
  /// What its tasks may take of each second.
  package var taskShare = TaskShare.Limits()
  /// When an override has failed too often.
  package var breaker: Breaker.Limits
  /// How many overrides a thread may be in, one called by the other.
  package var depth: Int
  /// Called with the state left, after `report`, when an override has been switched off, and why.
  package var switchedOff: @Sendable (Override, String) -> Void
  /// Called with the state left for the first call of an override that went to the program's own code
  /// for this reason.
  package var bypassed: @Sendable (Override, Override.Bypass) -> Void
  /// Called with the state left for an override that the script declares after it has loaded, so that
  /// it is installed. Returns the reason if it cannot be.
  package var added: @Sendable (Override) -> String?
  /// The class version of a type or module.
  package var version: @Sendable (String) -> Int
  /// Called with the state left when the last piece of an override's advice is removed, perhaps by a
  /// call of it. No call begins in it any more. Of an override that was never installed too.
  package var removed: @Sendable (Override) -> Void
  /// Called when a Lua function failed that Swift called as a closure which does not throw.
  package var closureFailed: @Sendable (OverrideFault) -> Void
  /// Called when a function failed that the script has given to `on`.
  package var callbackFailed: @Sendable (OverrideFault) -> Void
  /// Called with the state left when a task failed that nobody waits for.
  package var taskFailed: @Sendable (OverrideFault) -> Void
  /// Makes the error that the program's `catch` sees.
  package var makeError: @Sendable (RaisedError) -> any Error

  package init(
    memoryLimit: Int? = nil, callLimits: CallLimits = CallLimits(),
    loadLimits: CallLimits = CallLimits(), allowsWeakTables: Bool = false,
    isParallel: Bool = false,
    libraries: wax_library_libraries = WAX_LIBRARY_LIBRARIES_SAFE,
    onError: Override.OnError = .original, log: @escaping @Sendable (LogLine) -> Void,
    report: @escaping @Sendable (Override, OverrideFault) -> Void,
    tasks: TaskQuota.Limits = TaskQuota.Limits(live: 0, perSecond: 0),
    breaker: Breaker.Limits = Breaker.Limits(), depth: Int = 190,
    switchedOff: @escaping @Sendable (Override, String) -> Void = { _, _ in },
    bypassed: @escaping @Sendable (Override, Override.Bypass) -> Void = { _, _ in },
    added: @escaping @Sendable (Override) -> String? = { _ in nil },
    removed: @escaping @Sendable (Override) -> Void = { _ in },
    version: @escaping @Sendable (String) -> Int = { _ in 0 },
    closureFailed: (@Sendable (OverrideFault) -> Void)? = nil,
    callbackFailed: (@Sendable (OverrideFault) -> Void)? = nil,
    taskFailed: (@Sendable (OverrideFault) -> Void)? = nil,
    makeError: @escaping @Sendable (RaisedError) -> any Error = { $0 }
  ) {
    self.memoryLimit = memoryLimit
    self.callLimits = callLimits
    self.loadLimits = loadLimits
    self.allowsWeakTables = allowsWeakTables
    self.isParallel = isParallel
    self.libraries = libraries
    self.onError = onError
    self.log = log
    self.report = report
    self.tasks = tasks
    self.breaker = breaker
    self.depth = depth
    self.switchedOff = switchedOff
    self.bypassed = bypassed
    self.added = added
    self.removed = removed
    self.version = version
    let logFault: @Sendable (OverrideFault) -> Void = { fault in
      log(
        LogLine(
          level: "error", message: fault.messageWithoutPosition,
          fields: [("function", .text(fault.function))], position: fault.position))
    }
    self.closureFailed = closureFailed ?? logFault
    self.callbackFailed = callbackFailed ?? logFault
    self.taskFailed = taskFailed ?? logFault
    self.makeError = makeError
  }
}

/// The options of one script, which all that it makes has in common.
package final class SharedOptions: Sendable {
  let value: ScriptOptions

  package init(_ value: ScriptOptions) {
    self.value = value
  }
}

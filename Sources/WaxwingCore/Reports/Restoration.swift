// SPDX-License-Identifier: MIT

/// The outcome of ending patches, read back from the program, not assumed.
public struct Restoration: Sendable {
  /// A call that has not left an override of an ended patch; it may be in the original that this has
  /// called.
  public struct Laggard: Sendable {
    /// The name of the patch.
    public let patch: String
    /// The function's name, such as `Bank.Account.withdraw(_:memo:)`.
    public let function: String
    /// The kernel's id of the thread, as `ps -L` shows it; 0: an async call, which belongs to none.
    public let threadID: UInt64
    /// The thread's name, as `ps -L -o comm` shows it.
    public let threadName: String
    /// How long it has been in the override, in seconds; where that is not known, how long the
    /// engine has waited for it.
    public let seconds: Double
    /// The Lua functions that it is in, innermost first, a line each; empty if it is in none.
    public let stack: [String]

    package init(
      patch: String, function: String, threadID: UInt64, threadName: String, seconds: Double,
      stack: [String]
    ) {
      self.patch = patch
      self.function = function
      self.threadID = threadID
      self.threadName = threadName
      self.seconds = seconds
      self.stack = stack
    }
  }

  /// The patches that were ended, newest first.
  public let endedPatches: [String]
  /// Patches that were kept and not live, and are kept no more.
  public package(set) var droppedPatches: [String] = []
  /// Objects of the classes of ended patches that are alive, by class, and go on with the patches' code; not
  /// in `restore(waitAtMost:now:)` with `now`.
  public package(set) var livingObjects: [String: Int] = [:]
  /// Replacement entries that were read back and compared with the word of before the first patch.
  public let entriesVerified: Int
  /// Entries that do not hold it although they should, and class versions that no live patch
  /// accounts for, a sentence each.
  public let differences: [String]
  /// Calls that did not leave the patches which were ended, in time. New calls are at baseline all the
  /// same.
  public let laggards: [Laggard]
  /// Calls that have not left patches which had ended before: they were reported then, and nothing is
  /// waited for.
  public package(set) var stillInside: [Laggard] = []
  /// The patches' Lua functions that the program still held when they ended.
  public package(set) var heldFunctions: [HeldFunction] = []

  /// How many tasks of the patches had not ended and were cancelled.
  public package(set) var cancelledTasks = 0
  /// The functions whose overrides, and the places of tasks that, still waited for something after the
  /// time that was given to them: they do not go on in Lua. Such a call goes on to the original, or
  /// returns what the original has returned.
  public package(set) var abandonedCalls: [String] = []

  /// Why the patches that were kept may be live again after a restart, though they have ended; nil: they
  /// are not.
  public package(set) var storeFailure: String?

  /// Why all calls go to the program's own code already and the rest is still to be done, when the
  /// operation that is in the way has ended; nil: it has been done.
  public package(set) var postponed: String?

  package init(
    endedPatches: [String], entriesVerified: Int, differences: [String], laggards: [Laggard]
  ) {
    self.endedPatches = endedPatches
    self.entriesVerified = entriesVerified
    self.differences = differences
    self.laggards = laggards
  }

  /// Whether everything is as it was, and no call is in a patch that was ended by this.
  public var isComplete: Bool { differences.isEmpty && laggards.isEmpty && postponed == nil }
}

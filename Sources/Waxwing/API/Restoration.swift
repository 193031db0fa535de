// SPDX-License-Identifier: MIT

/// What ending patches did. Read back from the program, not assumed.
public struct Restoration: Sendable {
  /// A call that has not left an override of an ended patch, or its original.
  public struct Laggard: Sendable {
    /// The patch; empty if the call is in the original and no patch of ours knows of it.
    public let patch: String
    /// `Bank.Account.withdraw(_:memo:)`
    public let function: String
    /// The kernel's id of the thread, as `ps -L` shows it.
    public let threadID: UInt64
    /// How long the engine has waited for it, in seconds.
    public let waitedSeconds: Double
  }

  /// The patches that were ended, newest first.
  public let endedPatches: [String]
  /// Replacement entries that were read back and compared with the word of before the first patch.
  public let entriesVerified: Int
  /// Those that do not hold it although they should, a sentence each.
  public let differences: [String]
  /// Calls that did not end in time. New calls are at baseline all the same.
  public let laggards: [Laggard]
  /// The patches' Lua functions that the program still held when they ended.
  public internal(set) var heldFunctions: [HeldFunction] = []

  /// Whether everything is as it was and nobody is in an ended patch.
  public var isComplete: Bool { differences.isEmpty && laggards.isEmpty }
}

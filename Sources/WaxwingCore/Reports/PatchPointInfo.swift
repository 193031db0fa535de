// SPDX-License-Identifier: MIT

/// The treatment of one function's calls: the pieces of patches that run, and the original.
public struct PatchPointInfo: Sendable {
  /// A piece of Lua that calls come through.
  public struct Step: Sendable {
    /// The time at which a piece runs.
    public enum Kind: String, Sendable {
      /// The piece runs in place of the function, to which it was assigned.
      case override
      /// The piece runs in place of the function, as advice.
      case instead
      /// The piece runs before the function.
      case before
      /// The piece runs after the function.
      case after
    }

    /// The name of the patch.
    public let patch: String
    /// The patch's version, 0 without one.
    public let version: Int
    /// When the piece runs.
    public let kind: Kind
    /// Where the patch declares it, `overdraft.lua:12`.
    public let place: String
    /// The restrictions of the piece: `once`, `one object`.
    public let limits: [String]
    /// Calls that came to it.
    public let calls: Int
    /// How many calls failed in it.
    public let errors: Int
    /// The last failure of the piece.
    public let lastError: ErrorInfo?
    /// How long calls took, with the original; nil: they were never measured. All `before` and `after` of
    /// a patch are one override: its first step has the times.
    public let times: CallTimes?
    /// How long the originals took that it called.
    public let originalTimes: CallTimes?
  }

  /// The function's name, such as `Bank.Account.withdraw(_:memo:)`.
  public let name: String
  /// The pieces in the order in which a call reaches them, if each calls its original.
  public let steps: [Step]
  /// The file whose code the original is.
  public let image: String
  /// Where in that file: the address that its symbol table has.
  public let offset: UInt64
  /// Whether the function's replacement entry holds its baseline word now.
  public let isAtBaseline: Bool
  /// Where a closure is written, `Routes.swift:42`; nil if debugging information does not tell.
  public let source: String?
  /// The variables that a closure has captured, as a declaration has them; nil if there are none, or debugging information
  /// does not tell.
  public let captures: String?
}

// SPDX-License-Identifier: MIT

/// The rules of this process about what patches may do, and who may apply them. Given to
/// ``WaxwingEngine/listen(socket:instance:policy:)`` by the daemon's author. The operator's file in
/// the configuration folder can only make it stricter, except where that file explicitly allows
/// more.
public struct Policy: Sendable {
  /// Whether patches come in by the control socket without a signature.
  public enum UnsignedPatches: String, Sendable {
    /// Unsigned patches are refused.
    case refused
    /// Unsigned patches are applied. `waxwing status` warns of it, because anyone who may use the
    /// socket can run any code in this process.
    case allowed
  }

  /// Whether patches come in by the control socket without a signature; refused unless the host
  /// opts in, here or with `WAXWING_UNSIGNED=allow` in the daemon's environment. Patches that the
  /// program itself starts need none.
  public var unsignedPatches = UnsignedPatches.refused

  /// How long the program has to stay up with its kept patches to count as one that does. Three starts
  /// that do not, one after the other, and kept patches are not started any more.
  public var healthyAfter = Duration.seconds(30)
  /// The requirement on the audit log when a patch is applied. Patches can be ended in any case.
  public enum Audit: String, Sendable {
    /// Each patch that is applied has to be recorded.
    case required
    /// The record must be written if this process keeps an audit log, which it does if there is a
    /// folder for it.
    case whereKept
    /// A record that cannot be written is an event in the log, and no more.
    case attempted
  }

  /// The requirement on the audit log when a patch is applied.
  public var audit = Audit.whereKept

  /// Functions that no patch may override, also none that the program itself starts: `Orders.*`,
  /// `Bank.Account.close`. A star stands for any characters; without one it is a function with all its
  /// overloads, a property, or a type with all that is in it. The operator's file may add to them.
  public var protectedSelectors: [String] = []

  /// Names of properties, parameters and functions whose values are never shown, with stars:
  /// `password`, `*token*`. Traces, records, comparisons and the output of patches show `•••` in
  /// their place. The operator's file may add names.
  public var maskedNames: [String] = []

  /// Whether properties of objects that can change are read to show them.
  public enum ChangingFields: String, Sendable {
    /// Fields that may change are read on request: with `--fields`, with `reveal` in a patch, in a
    /// debugger's lists. Waxwing does not know which lock guards them: a property that another
    /// thread changes at that moment can end the process. Fields of an actor are read on that actor
    /// only.
    case onRequest
    /// Fields that may change are not read, and requests for them are refused.
    case hidden
  }

  /// Whether properties of objects that can change are read to show them. Without a request they never are.
  public var changingFields = ChangingFields.onRequest

  /// Whether functions that have no replacement entry are overridden by rewriting their code.
  public enum CodeEntries: String, Sendable {
    /// No code of the program is ever written.
    case refused
    /// Patches may override such functions: the first instructions of each become a jump while an override is there, and
    /// are written back when it ends.
    case allowed
  }

  /// Whether functions that have no replacement entry are overridden by rewriting their code.
  public var codeEntries = CodeEntries.refused

  /// The list of those who may sign patches, in OpenSSH's form; nil for `allowed_signers` in
  /// `$WAXWING_CONFIG_DIR`, or else in `/etc/waxwing`.
  public var signers: String?

  /// The list of keys that are revoked; nil for `revoked_signers` in the same folder. It need not
  /// be there.
  public var revoked: String?

  /// How far a signed patch's serial number may be above the last of its key.
  public var serialJump = 10_000_000_000

  /// The capabilities that patches may use if their manifest asks for them. All are off by default.
  public var capabilities: Set<Capability> = []

  /// The limits for patches in this process.
  public var limits = Limits()

  /// A policy with everything at its default.
  public init() {}
}

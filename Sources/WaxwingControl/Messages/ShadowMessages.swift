// SPDX-License-Identifier: MIT

/// Asks for a patch to be run beside the program, which goes on as it does without it.
package struct ShadowRequest: Hashable, Sendable, Codable {
  package var patch: ApplyRequest.Patch
  /// Which calls it is compared on; nil: all.
  package var selection: SelectionPayload?
  /// Whether it may call what may change something, and set properties.
  package var allowsEffects = false
  /// Seconds after which it ends that nobody asks what came of it.
  package var patience = ControlProtocol.watchPatience

  package init(patch: ApplyRequest.Patch) { self.patch = patch }
}

/// A patch is compared.
package struct ShadowReport: Hashable, Sendable, Codable {
  /// What it is called meanwhile; to revert it is to end it.
  package let name: String
  package let overrides: [String]
  package let warnings: [String]

  package init(name: String, overrides: [String], warnings: [String]) {
    self.name = name
    self.overrides = overrides
    self.warnings = warnings
  }
}

/// What has been compared since it was asked for last.
package struct ShadowBatch: Hashable, Sendable, Codable {
  package var functions: [ShadowCount] = []
  /// Calls that were not the same, in the order of their ends.
  package var calls: [ShadowCall] = []
  /// Calls of those that there was no room for.
  package var dropped = 0

  package init() {}
}

/// How often the calls of a function were the same.
package struct ShadowCount: Hashable, Sendable, Codable {
  /// As the patch names it: `bankd.Account.withdraw`.
  package let function: String
  package let same, different: Int
  /// Calls of which nothing can be said.
  package let uncompared: Int
  /// Calls in which a limit has stopped the patch; nil: the daemon does not count them.
  package let failed: Int?
  /// Seconds that all originals took.
  package let originalSeconds: Double
  /// Seconds that the patch took for the same calls, originals left out.
  package let patchSeconds: Double

  package init(
    function: String, same: Int, different: Int, uncompared: Int, failed: Int?,
    originalSeconds: Double, patchSeconds: Double
  ) {
    self.function = function
    self.same = same
    self.different = different
    self.uncompared = uncompared
    self.failed = failed
    self.originalSeconds = originalSeconds
    self.patchSeconds = patchSeconds
  }
}

/// A call of which the patch makes something else. Values are text.
package struct ShadowCall: Hashable, Sendable, Codable {
  /// What a call ended with.
  package struct Outcome: Hashable, Sendable, Codable {
    /// Whether it returned.
    package let succeeded: Bool
    /// The result, or the error; empty if there is none.
    package let text: String

    package init(succeeded: Bool, text: String) {
      self.succeeded = succeeded
      self.text = text
    }
  }

  package let function: String
  /// When it ended, in seconds since 1970.
  package let ended: Double
  /// What it was called on; empty for a free function.
  package let receiver: String
  package let arguments: String
  package let original: Outcome
  /// nil: that cannot be said, see ``reason``.
  package let patch: Outcome?
  /// Why it was not compared.
  package let reason: String?
  /// Seconds.
  package let originalCost, patchCost: Double

  package init(
    function: String, ended: Double, receiver: String, arguments: String, original: Outcome,
    patch: Outcome?, reason: String?, originalCost: Double, patchCost: Double
  ) {
    self.function = function
    self.ended = ended
    self.receiver = receiver
    self.arguments = arguments
    self.original = original
    self.patch = patch
    self.reason = reason
    self.originalCost = originalCost
    self.patchCost = patchCost
  }
}

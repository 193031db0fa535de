// SPDX-License-Identifier: MIT

/// Asks for a patch to be run beside the program, which goes on as it does without it.
package struct ShadowRequest: Hashable, Sendable, Codable {
  package var patch: ApplyRequest.Patch
  /// The calls on which the patch is compared; nil for all.
  package var selection: SelectionPayload?
  /// Whether the patch may call functions that may have effects, and set properties.
  package var allowsEffects = false
  /// The seconds without a request after which the shadow ends.
  package var patience = ControlProtocol.watchPatience

  package init(patch: ApplyRequest.Patch) { self.patch = patch }
}

/// A patch is compared.
package struct ShadowReport: Hashable, Sendable, Codable {
  /// The name of the shadow. To revert the patch of this name ends the shadow.
  package let name: String
  package let overrides: [String]
  package let warnings: [String]

  package init(name: String, overrides: [String], warnings: [String]) {
    self.name = name
    self.overrides = overrides
    self.warnings = warnings
  }
}

/// The comparisons since the last request.
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
  /// The name of the function as the patch writes it, such as `bankd.Account.withdraw`.
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

/// A call for which the patch has another outcome. Values are text.
package struct ShadowCall: Hashable, Sendable, Codable {
  /// The outcome of a call.
  package struct Outcome: Hashable, Sendable, Codable {
    /// Whether the call returned.
    package let succeeded: Bool
    /// The result, or the error; empty if there is none.
    package let text: String

    package init(succeeded: Bool, text: String) {
      self.succeeded = succeeded
      self.text = text
    }
  }

  package let function: String
  /// The time at which the call ended, in seconds since 1970.
  package let ended: Double
  /// The receiver of the call; empty for a free function.
  package let receiver: String
  package let arguments: String
  package let original: Outcome
  /// The outcome with the patch; nil if there is none, see ``reason``.
  package let patch: Outcome?
  /// The reason why the call was not compared; nil if it was.
  package let reason: String?
  /// The times of the original and of the patch in seconds.
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

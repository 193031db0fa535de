// SPDX-License-Identifier: MIT

/// Asks for calls of functions to be kept, so that they can be made again.
package struct RecordRequest: Hashable, Sendable, Codable {
  /// A text that the selectors contain.
  package var pattern: String
  /// The number of calls that are kept.
  package var most: Int?
  /// How many calls are kept at the same time; the oldest are forgotten.
  package var capacity = 100
  /// Whether the objects of the calls are not kept alive.
  package var isWeak = false
  /// A Lua expression over `self`, `args`, `result`, `error` and `cost`: which calls to keep.
  package var condition: String?
  /// Whether properties of objects that can change are shown; nil: they are not.
  package var showsFields: Bool?
  /// The seconds without a request after which the calls are forgotten.
  package var patience = 3600.0

  package init(pattern: String) { self.pattern = pattern }
}

/// A client's request about the recorded calls.
package enum RecordQuestion: Hashable, Sendable, Codable {
  /// The calls with numbers above this.
  case calls(after: Int)
  /// Keeps no more calls from now on.
  case stop
}

/// Calls that are kept.
package struct RecordedCalls: Hashable, Sendable, Codable {
  /// The patch that keeps them; to revert it is to forget them.
  package let name: String
  /// The calls in the order in which they ended.
  package let calls: [RecordedCall]
  /// Calls up to this number are not kept any more.
  package let forgotten: Int

  package init(name: String, calls: [RecordedCall], forgotten: Int) {
    self.name = name
    self.calls = calls
    self.forgotten = forgotten
  }
}

/// A call that is kept. Values are text.
package struct RecordedCall: Hashable, Sendable, Codable {
  /// The number of the call, from 1.
  package let number: Int
  package let selector: String
  /// The kernel's number of the thread that the call ended on.
  package let thread: Int
  /// The time at which the call began, in seconds since 1970.
  package let began: Double
  /// The receiver of the call; empty for a free function.
  package let receiver: String
  package let arguments: String
  package let outcome: RecordedOutcome

  package init(
    number: Int, selector: String, thread: Int, began: Double, receiver: String, arguments: String,
    outcome: RecordedOutcome
  ) {
    self.number = number
    self.selector = selector
    self.thread = thread
    self.began = began
    self.receiver = receiver
    self.arguments = arguments
    self.outcome = outcome
  }
}

/// The outcome of a call.
package struct RecordedOutcome: Hashable, Sendable, Codable {
  /// Whether the call returned.
  package let succeeded: Bool
  /// The result, or the error; empty if there is none.
  package let text: String
  /// How long it took, in seconds.
  package let cost: Double

  package init(succeeded: Bool, text: String, cost: Double) {
    self.succeeded = succeeded
    self.text = text
    self.cost = cost
  }
}

/// Asks for a call that is kept to be made again.
package struct ReplayRequest: Hashable, Sendable, Codable {
  /// The number of the call to replay.
  package let number: Int
  /// A patch for this call alone; nil: the program as it is now.
  package var patch: ApplyRequest.Patch?

  package init(number: Int, patch: ApplyRequest.Patch? = nil) {
    self.number = number
    self.patch = patch
  }
}

/// A call was made again.
package struct ReplayReport: Hashable, Sendable, Codable {
  package let call: RecordedCall
  package let outcome: RecordedOutcome
  /// The name of the patch; nil if there was none.
  package let patch: String?
  /// Whether the call went through an override of the patch.
  package let usedPatch: Bool
  package let warnings: [String]

  package init(
    call: RecordedCall, outcome: RecordedOutcome, patch: String?, usedPatch: Bool,
    warnings: [String]
  ) {
    self.call = call
    self.outcome = outcome
    self.patch = patch
    self.usedPatch = usedPatch
    self.warnings = warnings
  }
}

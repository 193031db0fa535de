// SPDX-License-Identifier: MIT

/// The parts of a function's signature that cross as opaque values.
package struct OpaqueParts {
  /// The first reason for it.
  let reason: PlanError
  /// The parameters, by index.
  var parameters: Set<Int>
  /// The indices of the parameters whose registers are unknown; nil if all are unknown.
  var unplaced: Set<Int>?
  var result: Bool

  /// Creates a value in which no part is opaque yet.
  init(reason: PlanError) {
    self.init(reason: reason, parameters: [], unplaced: [], result: false)
  }

  init(reason: PlanError, parameters: Set<Int>, unplaced: Set<Int>?, result: Bool) {
    self.reason = reason
    self.parameters = parameters
    self.unplaced = unplaced
    self.result = result
  }

  /// The parameter is opaque, and stays in its registers.
  mutating func keepInPlace(_ parameter: Int) {
    parameters.insert(parameter)
    unplaced?.insert(parameter)
  }

  func isPlaced(_ parameter: Int) -> Bool {
    unplaced.map { !$0.contains(parameter) } ?? false
  }
}

extension OpaqueParts? {
  /// Records that a part of the signature cannot be told, for this reason.
  mutating func add(_ reason: PlanError) {
    if self == nil { self = OpaqueParts(reason: reason) }
  }
}

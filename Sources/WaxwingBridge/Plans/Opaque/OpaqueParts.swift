// SPDX-License-Identifier: MIT

/// What of a function's signature goes through Lua as opaque values.
package struct OpaqueParts {
  /// The first reason for it.
  let reason: PlanError
  /// The parameters, by index.
  var parameters: Set<Int>
  /// Those of them of which it is not known in which registers they are; nil: all.
  var unplaced: Set<Int>?
  var result: Bool

  /// Nothing yet.
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
  /// Something cannot be told, for this reason.
  mutating func add(_ reason: PlanError) {
    if self == nil { self = OpaqueParts(reason: reason) }
  }
}

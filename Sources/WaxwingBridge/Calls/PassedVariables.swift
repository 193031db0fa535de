// SPDX-License-Identifier: MIT

/// The variables of an override's caller that the original changes in place, as it would without the
/// override: `inout` arguments that the override passes on as they came. A copy would share its storage
/// with the variable, and so be copied once more by the first change.
struct PassedVariables {
  private var places: [Int: UnsafeMutableRawPointer] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// The indices of the arguments that are variables.
  var indices: [Int] { Array(places.keys) }

  /// Where the caller has the variable that is the argument of this step; nil: the argument has a place
  /// of the call's own.
  subscript(step: CallStep) -> UnsafeMutableRawPointer? { places[step.index] }

  /// - Parameter active: The call of the override, of which this is one of the original.
  mutating func pass(
    _ argument: CallPlan.Argument, at index: Int,
    of active: UnsafeMutablePointer<ActiveCall>
  ) {
    places[index] = argument.location.memory(active.pointee.frame)
  }
}

// SPDX-License-Identifier: MIT

/// The executor to which the code of an `async` function switches first: before any other code of
/// it runs or, if it begins with an `await`, after that.
package enum EntryExecutor: Hashable, Sendable {
  /// The function stays on its caller's executor. This includes functions whose isolation makes no
  /// difference according to the optimiser, and those that are `nonisolated(nonsending)`.
  case none
  /// The function switches to the concurrent pool, because it is not isolated.
  case generic
  /// The function switches to `self`, which is a default actor.
  case receiver
  /// The function switches to the executor that `self` says it has.
  case executorOfReceiver
  /// The function switches to an argument that is a default actor: an `isolated` parameter, or an
  /// actor whose isolated function is called at once. Integer registers are numbered first, then
  /// the words on the stack.
  case argument(Int)
  /// The function switches to the executor that an argument says it has.
  case executorOfArgument(Int)
  /// The function switches to the executor of a `shared` value. The address is that of a getter or
  /// addressor, of the function that first sets the variable, or of the variable.
  case globalActor(shared: UInt)
  /// The code is not that of a dynamic `async` function or is not understood.
  case unknown
}

// SPDX-License-Identifier: MIT

/// Where the code of an `async` function goes first: before anything else of it runs or, if it
/// begins with an `await`, behind that.
package enum EntryExecutor: Hashable, Sendable {
  /// It stays where its caller is. So do functions whose isolation the optimiser found to make no
  /// difference, and those that are `nonisolated(nonsending)`.
  case none
  /// To the concurrent pool: not isolated.
  case generic
  /// To `self`, which is a default actor.
  case receiver
  /// To the executor that `self` says it has.
  case executorOfReceiver
  /// To an argument, which is a default actor: an `isolated` parameter, or an actor whose isolated
  /// function is called at once. Integer registers are numbered first, then the words on the stack.
  case argument(Int)
  /// To the executor that an argument says it has.
  case executorOfArgument(Int)
  /// To the executor of what is had from a `shared`: where that comes from is the address of a
  /// getter or addressor, of the function that first sets the variable, or of the variable.
  case globalActor(shared: UInt)
  /// The code is not that of a dynamic `async` function or is not understood.
  case unknown
}

// SPDX-License-Identifier: MIT

package import WaxwingValues

/// What is in the signature.
extension CallPlan {
  @inlinable package var receiver: Receiver { signature.receiver }
  @inlinable package var arguments: [Argument] { signature.arguments }
  /// The arguments once more, for the calls themselves.
  @inlinable package var steps: UnsafeBufferPointer<CallStep> { signature.steps }
  /// Whether any argument, or the receiver, is passed at +1.
  @inlinable package var ownsArguments: Bool { signature.ownsArguments }
  /// The `inout` arguments: what they are afterwards are further results, in order.
  @inlinable package var inouts: [Argument] { signature.inouts }
  /// What calls change of their caller's.
  @inlinable package var variables: [Argument] { signature.variables }
  /// The receiver as a further `inout` argument, the last: of a function that changes a value of
  /// Lua's own, such as a string or a table, of which Lua has no variable that could change. A script
  /// need not return it.
  @inlinable package var returnedReceiver: Argument? {
    variables.count > inouts.count ? variables.last : nil
  }
  /// The receiver's codec, if it is an instance of a class.
  @inlinable package var objectReceiver: Unmanaged<ObjectCodec>? { signature.objectReceiver }
  /// nil: the function returns nothing.
  @inlinable package var result: ValueCodec? { signature.result }
  @inlinable package var outcome: ResultLowering { signature.outcome }
  /// What to look at in a result of the type `Self`.
  @inlinable package var selfResult: SelfResult? { signature.selfResult }
  @inlinable package var resultStrategy: ResultStrategy { signature.resultStrategy }
  /// Bytes of arguments on the stack.
  @inlinable package var stackBytes: Int { signature.stackBytes }
  /// Room for any one value.
  @inlinable package var scratchBytes: Int { signature.scratchBytes }
  /// Where a receiver is put that is passed by address and not in memory, as an object is for a
  /// method of a protocol's extension.
  @inlinable package var receiverRoom: Int { signature.receiverRoom }
  /// The function takes over the struct or enum that it is called on.
  @inlinable package var consumesReceiver: Bool { signature.consumesReceiver }
  /// Nothing tells whether it does, and it would make a difference.
  @inlinable package var mayConsumeReceiver: Bool { signature.mayConsumeReceiver }
  /// Nothing tells whether it does, so that an override which does not call it may leave that without an owner.
  @inlinable package var mayKeepReceiver: Bool { signature.mayKeepReceiver }
  /// What a generic function is passed so that it knows its types, and where.
  @inlinable package var trailing: [(word: UnsafeRawPointer?, location: ValueLocation)] {
    signature.trailing
  }
  /// How much room a call needs for the values that do not stand in its frame.
  @inlinable package var callBytes: Int { signature.callBytes }
  /// What the function initializes, if it is an initializer.
  @inlinable package var initializedType: (any Any.Type)? { signature.initializedType }
  /// Of an `async` function: where the address of an indirect result is.
  @inlinable package var resultAddress: ValueLocation? { signature.resultAddress }
  /// Of one that runs where its caller does: where the caller's actor is.
  @inlinable package var callerActor: [ValueLocation] { signature.callerActor }
}

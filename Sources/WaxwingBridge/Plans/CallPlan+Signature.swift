// SPDX-License-Identifier: MIT

package import WaxwingValues

/// The parts of the plan that its signature contains.
extension CallPlan {
  @inlinable var receiver: Receiver { signature.receiver }
  @inlinable package var arguments: [Argument] { signature.arguments }
  /// The arguments once more, for the calls themselves.
  @inlinable var steps: UnsafeBufferPointer<CallStep> { signature.steps }
  /// Whether any argument, or the receiver, is passed at +1.
  @inlinable var ownsArguments: Bool { signature.ownsArguments }
  /// The `inout` arguments, whose values after the call are further results, in order.
  @inlinable var inouts: [Argument] { signature.inouts }
  /// The variables of the caller that calls change.
  @inlinable var variables: [Argument] { signature.variables }
  /// The receiver as a further `inout` argument, the last: of a function that changes a value of
  /// Lua's own, such as a string or a table, of which Lua has no variable that could change. A script
  /// need not return it.
  @inlinable package var returnedReceiver: Argument? {
    variables.count > inouts.count ? variables.last : nil
  }
  /// The receiver's codec, if it is an instance of a class.
  @inlinable var objectReceiver: Unmanaged<ObjectCodec>? { signature.objectReceiver }
  /// The codec of the result; nil if the function returns nothing.
  @inlinable package var result: ValueCodec? { signature.result }
  @inlinable package var outcome: ResultLowering { signature.outcome }
  /// The check for a result of the type `Self`.
  @inlinable var selfResult: SelfResult? { signature.selfResult }
  @inlinable var resultStrategy: ResultStrategy { signature.resultStrategy }
  /// Bytes of arguments on the stack.
  @inlinable var stackBytes: Int { signature.stackBytes }
  /// The size of the memory that has room for any one value of a call.
  @inlinable var scratchBytes: Int { signature.scratchBytes }
  /// Where a receiver is put that is passed by address and not in memory, as an object is for a
  /// method of a protocol's extension.
  @inlinable var receiverScratch: Int { signature.receiverScratch }
  /// The function takes over the struct or enum that it is called on.
  @inlinable var consumesReceiver: Bool { signature.consumesReceiver }
  /// Whether nothing tells if the function consumes its receiver although it makes a difference.
  @inlinable var mayConsumeReceiver: Bool { signature.mayConsumeReceiver }
  /// Whether nothing tells if the function takes over its receiver, so that an override that does
  /// not call the original may leave the receiver without an owner.
  @inlinable var mayKeepReceiver: Bool { signature.mayKeepReceiver }
  /// The words that tell a generic function its types, and their places.
  @inlinable var trailing: [(word: UnsafeRawPointer?, location: ValueLocation)] {
    signature.trailing
  }
  /// How much room a call needs for the values that do not stand in its frame.
  @inlinable var callBytes: Int { signature.callBytes }
  /// The type that the function initializes, if it is an initializer.
  @inlinable var initializedType: (any Any.Type)? { signature.initializedType }
  /// The location of the address of an indirect result of an `async` function; nil if there is
  /// none.
  @inlinable var resultAddress: ValueLocation? { signature.resultAddress }
  /// The location of the caller's actor, for a function that runs where its caller does.
  @inlinable var callerActor: [ValueLocation] { signature.callerActor }
}

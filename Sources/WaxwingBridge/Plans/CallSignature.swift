// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// Where each value of a function's signature is, and which codec turns it into a Lua value: what the
/// plans of functions that are called alike share.
/// Unchecked: never changed after `init`.
package final class CallSignature: @unchecked Sendable {
  let receiver: CallPlan.Receiver
  let arguments: [CallPlan.Argument]
  /// The arguments once more, for the calls themselves.
  let steps: UnsafeBufferPointer<CallStep>
  /// Whether any argument, or the receiver, is passed at +1.
  let ownsArguments: Bool
  /// The `inout` arguments, whose values after the call are further results, in order.
  let inouts: [CallPlan.Argument]
  /// The variables of the caller that calls change: the `inout` arguments, and perhaps the
  /// receiver.
  let variables: [CallPlan.Argument]
  /// The receiver's codec, if it is an instance of a class.
  let objectReceiver: Unmanaged<ObjectCodec>?
  /// The codec of the result; nil if the function returns nothing.
  let result: ValueCodec?
  let outcome: ResultLowering
  /// The check for a result of the type `Self`.
  let selfResult: SelfResult?
  let resultStrategy: CallPlan.ResultStrategy
  /// Bytes of arguments on the stack.
  let stackBytes: Int
  /// The size of the memory that has room for any one value of a call.
  let scratchBytes: Int
  /// Where a receiver is put that is passed by address and not in memory, as an object is for a
  /// method of a protocol's extension.
  let receiverScratch: Int
  /// The function takes over the struct or enum that it is called on.
  let consumesReceiver: Bool
  /// Whether nothing tells if the function consumes its receiver although it makes a difference.
  let mayConsumeReceiver: Bool
  /// Whether nothing tells if the function takes over the struct or enum that it is called on, so
  /// that an override that does not call it may leave the value without an owner.
  let mayKeepReceiver: Bool
  /// The words that tell a generic function its types, and their places.
  let trailing: [(word: UnsafeRawPointer?, location: ValueLocation)]
  /// How much room a call needs for the values that do not stand in its frame.
  let callBytes: Int
  /// The type that the function initializes, if it is an initializer.
  let initializedType: (any Any.Type)?

  /// The locations of an indirect result's address and of the caller's actor, for an `async`
  /// function.
  let resultAddress: ValueLocation?
  let callerActor: [ValueLocation]

  init(_ types: SignatureTypes, _ selfKind: SelfKind?) {
    let layout = types.layout
    receiver = types.receiver(layout)
    arguments = types.arguments(layout)
    var scratch = ScratchLayout()
    steps = CallStep.list(arguments, &scratch)
    inouts = arguments.filter(\.isInout)
    variables = inouts + [Self.returnedReceiver(receiver)].compactMap(\.self)
    ownsArguments = arguments.contains(where: \.isOwned) || selfKind == .consuming
    objectReceiver = Self.objectReceiver(receiver)
    result = types.result
    outcome = ResultLowering(
      layout, types.resultShape, result: types.result, thrown: types.thrown, &scratch,
      throwsUnknown: types.throwsUnknown)
    selfResult = types.selfResult
    resultStrategy = Self.resultStrategy(types, outcome.frameOffset, isPlain: selfResult == nil)
    stackBytes = layout.stackBytes
    let codecs = arguments.map(\.codec) + [types.result, types.thrown].compactMap(\.self)
    scratchBytes = max(32, types.receiverSize, codecs.map(\.size).max() ?? 0) + 16
    consumesReceiver = selfKind == .consuming
    mayConsumeReceiver = types.mayConsumeReceiver(selfKind)
    mayKeepReceiver = types.mayKeepReceiver(selfKind)
    receiverScratch = types.receiverByAddress.map { scratch.add($0) } ?? 0
    trailing = Array(
      zip(types.trailingWords, layout.trailingPointers.map { ValueLocation($0, alignment: 8) }))
    resultAddress = layout.resultAddress.map { ValueLocation($0, alignment: 8) }
    callerActor = layout.callerActor.map { ValueLocation($0, alignment: 8) }
    callBytes = scratch.size
    initializedType = types.initializedType
  }

  deinit {
    steps.deallocate()
  }

  private static func returnedReceiver(_ receiver: CallPlan.Receiver) -> CallPlan.Argument? {
    guard case .mutableValue(let codec) = receiver, !codec.isBoxing else { return nil }
    return CallPlan.Argument(
      name: "self", codec: codec, location: .addressInFrame(Frame.selfRegisterOffset),
      isOwned: false, isInout: true)
  }

  private static func objectReceiver(_ receiver: CallPlan.Receiver) -> Unmanaged<ObjectCodec>? {
    guard case .object(let argument) = receiver, let codec = argument.codec as? ObjectCodec else {
      return nil
    }
    return .passUnretained(codec)
  }

  private static func resultStrategy(
    _ types: SignatureTypes, _ frameOffset: Int?, isPlain: Bool
  ) -> CallPlan.ResultStrategy {
    if types.initializedType != nil { return .instance }
    if types.result is OpaqueCodec { return .general }
    if types.receiverIsMutable || types.hasInouts { return .general }
    guard let result = types.result else { return .nothing }
    guard let frameOffset, result.resultCount == 1, isPlain,
      !result.isRebuilt || result is StringCodec
    else { return .general }
    if let plain = result.plain, plain.isTrivial { return .plain(plain, offset: frameOffset) }
    return .codec(.passUnretained(result), offset: frameOffset)
  }
}

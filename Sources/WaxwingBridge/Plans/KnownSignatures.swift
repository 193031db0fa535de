// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The signatures of the plans that one script has made, so that functions which are called alike share
/// one.
///
/// Used by the thread that has entered the script's state, or while one thread alone knows the script.
package final class KnownSignatures {
  /// The signatures that are known; nil when they are no longer looked up.
  private var signatures: [SignatureKey: CallSignature]? = [:]

  init() {}

  /// Forgets them: what plans have is kept by the plans. Those that are made from here on share none.
  func close() {
    signatures = nil
  }

  func signature(
    _ types: SignatureTypes, _ selfKind: SelfKind?, isGeneric: Bool
  ) -> CallSignature {
    guard !isGeneric, signatures != nil, let key = types.key(selfKind) else {
      return CallSignature(types, selfKind)
    }
    if let known = signatures?[key] { return known }
    let made = CallSignature(types, selfKind)
    signatures?[key] = made
    return made
  }
}

/// The parts that determine a signature.
struct SignatureKey: Hashable {
  struct Argument: Hashable {
    let name: String
    let codec: ObjectIdentifier
    let isOwned: Bool
    let isInout: Bool
    let isVariadic: Bool

    init(_ argument: CallPlan.Argument) {
      name = argument.name
      codec = ObjectIdentifier(argument.codec)
      isOwned = argument.isOwned
      isInout = argument.isInout
      isVariadic = argument.isVariadic
    }
  }

  /// The locations of all values.
  let layout: CallLayout
  let context: ObjectIdentifier?
  let receiver: FunctionShape.ReceiverKind
  let receiverValue: CallLayout.Value
  let receiverCodec: ObjectIdentifier?
  let selfKind: SelfKind?
  let mayConsumeReceiver: Bool
  let mayKeepReceiver: Bool
  let isInitializer: Bool
  let arguments: [Argument]
  let result: ObjectIdentifier?
  /// The form in which the result depends on `Self`; nil if it does not.
  let selfResult: SelfResult?
  let thrown: ObjectIdentifier?
  let throwsUnknown: Bool
}

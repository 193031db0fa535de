// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// A result of the type `Self`: an instance of the very class that the function is called on, or of
/// one that inherits from it. The codec only knows the class that declares the function.
package struct SelfResult: Hashable {
  private enum Form {
    /// The result is `Self` or `Self?`.
    case object
    /// `Self` in a collection or a tuple: in no class can that be declared, but a protocol can require it.
    case nested
  }

  private let form: Form
  var isObject: Bool { form == .object }
  private let declared: UnsafeRawPointer

  /// Creates the check; nil if the result has nothing to do with `Self`, or if no class inherits
  /// from that type.
  init?(_ function: RunningFunction, context: (any Any.Type)?) {
    guard let context, context is AnyObject.Type else { return nil }
    let node = function.declaration.result
    let payload = node.optionalPayload ?? node
    if case .dynamicSelf = payload {
      form = .object
    } else if function.witness != nil, payload == .protocolSelf {
      form = .object
    } else if function.witness != nil, node.mentionsProtocolSelf {
      form = .nested
    } else {
      return nil
    }
    declared = TypeMetadata.pointer(to: context)
  }

  /// - Throws: If what has been made for a call is no instance of what that is on. It is still there.
  func check(
    _ result: UnsafeMutableRawPointer, _ plan: CallPlan, _ frame: FramePointer
  ) throws(ConversionError) {
    guard let called = plan.calledClass(frame), called != declared else { return }
    let name = TypeName.short(TypeMetadata.type(at: called))
    guard form == .object else {
      throw ConversionError(
        expected: "values of the class that it is called on, \(name)",
        found: "some of \(TypeName.short(TypeMetadata.type(at: declared)))")
    }
    guard let object = result.load(as: UnsafeMutableRawPointer?.self) else { return }
    if swift_dynamicCastClass(object, called) != nil { return }
    throw ConversionError(
      expected: "\(name), which it is called on",
      found: TypeName.short(ObjectReference.dynamicType(object)))
  }
}

extension CallPlan {
  /// The class of a call's receiver; nil if the receiver is no object.
  func calledClass(_ frame: FramePointer) -> UnsafeRawPointer? {
    calledObject(frame).map { $0.load(as: UnsafeRawPointer.self) } ?? calledType(frame)
  }

  /// The object that a call is on.
  func calledObject(_ frame: FramePointer) -> UnsafeMutableRawPointer? {
    switch receiver {
    case .object: return UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.selfRegister))
    case .value(let argument):
      // As protocols' requirements are called.
      guard argument.codec is ObjectCodec else { return nil }
      return argument.location.memory(frame)?.load(as: UnsafeMutableRawPointer?.self)
    case .none, .metatype, .uninitialized, .mutableValue, .opaque, .anyObject, .captures: return nil
    }
  }

  private func calledType(_ frame: FramePointer) -> UnsafeRawPointer? {
    guard case .metatype = receiver else { return nil }
    return UnsafeRawPointer(bitPattern: UInt(frame.pointee.selfRegister))
  }
}

extension TypeNode {
  /// The type `Self` of a protocol, in its requirements and in its extensions.
  static let protocolSelf = TypeNode.genericParameter(depth: 0, index: 0)

  /// Whether the type mentions the protocol's `Self` in any other place than as the base of an
  /// associated type.
  fileprivate var mentionsProtocolSelf: Bool {
    replacingMembers { _ in .void }.mentions(.protocolSelf)
  }
}

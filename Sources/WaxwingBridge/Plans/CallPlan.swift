// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingInterception
package import WaxwingReflection

/// The compiled marshalling of one function's signature: where each value is and which codec turns
/// it into a Lua value. Immutable; made once a patch point, when a patch loads.
package final class CallPlan: @unchecked Sendable {
  /// A value that is passed.
  struct Argument {
    /// What messages call it: `memo`, or `argument 2`.
    let name: String
    let codec: ValueCodec
    let location: ValueLocation
    /// The function takes the value over: the caller passes it at +1.
    let isOwned: Bool
  }

  /// What the function is called on.
  enum Receiver {
    /// Nothing: free functions, and static methods and initializers of structs and enums.
    case none
    /// An instance of a class.
    case object(Argument)
    /// A class itself.
    case metatype(any Any.Type)
    /// Memory of a class's instance that the function, an initializer, is to initialize.
    case uninitialized(any Any.Type)
    /// A copy of a struct or an enum.
    case value(Argument)
    /// The address of a struct or an enum that the function may change.
    case mutableValue(ValueCodec)
  }

  package let function: RunningFunction
  let receiver: Receiver
  let arguments: [Argument]
  /// nil: the function returns nothing.
  let result: ValueCodec?
  let resultLocation: ValueLocation
  let resultIsIndirect: Bool
  /// Bytes of arguments on the stack.
  package let stackBytes: Int
  /// Room for any one value.
  let scratchBytes: Int
  /// Where each argument of a call that is being made has its room, then the result.
  let argumentOffsets: [Int]
  let resultOffset: Int
  /// Room for all of them.
  let callBytes: Int
  /// What the function initializes, if it is an initializer.
  let initializedType: (any Any.Type)?

  package var isThrowing: Bool { function.declaration.isThrowing }
  package var isInitializer: Bool { initializedType != nil }

  /// - Throws: `PlanError` if the function cannot be called or overridden, naming what is in the
  ///   way.
  package init(
    _ function: RunningFunction, in program: RunningProgram, isMutating: Bool? = nil
  ) throws(PlanError) {
    let types = try SignatureTypes(function, in: program, isMutating: isMutating)
    let layout = types.layout
    self.function = function
    receiver = types.receiver(layout)
    arguments = types.arguments(layout)
    result = types.result
    resultLocation = ValueLocation(layout.result, isResult: true)
    resultIsIndirect = layout.result.isIndirect
    stackBytes = layout.stackBytes
    let codecs = types.arguments(layout).map(\.codec) + [types.result].compactMap(\.self)
    scratchBytes = max(32, types.receiverSize, codecs.map(\.size).max() ?? 0) + 16
    var room = Room()
    argumentOffsets = types.arguments(layout).map { room.add($0.codec) }
    resultOffset = types.result.map { room.add($0) } ?? 0
    callBytes = room.size
    initializedType = types.initializedType
  }
}

/// Rooms for values one after the other, each at a multiple of 16 and of whole words.
private struct Room {
  var size = 0

  mutating func add(_ codec: ValueCodec) -> Int {
    let alignment = max(codec.alignment, 16)
    size = (size + alignment - 1) / alignment * alignment
    defer { size += (codec.size + 15) / 16 * 16 }
    return size
  }
}

/// Why a function cannot be called or overridden.
package struct PlanError: Error, CustomStringConvertible {
  /// `Bank.Account.deposit(_:memo:)`
  package let function: String
  /// The reason and, if there is one, the remedy.
  package let reason: String

  init(_ function: RunningFunction, _ reason: String) {
    self.function = function.declaration.qualifiedName
    self.reason = reason
  }

  package var description: String { "\(function): \(reason)" }
}

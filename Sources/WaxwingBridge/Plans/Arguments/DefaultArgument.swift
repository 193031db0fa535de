// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingValues

/// The default value of one parameter: a function without arguments that makes it.
struct DefaultArgument {
  private let address: UInt
  private let codec: ValueCodec
  private let location: ValueLocation
  private let isIndirect: Bool

  /// - Parameter address: Of the function; a static getter of a struct or an enum is one, too.
  /// - Returns: nil: it is not known how values of the type are returned.
  init?(_ address: UInt, _ codec: ValueCodec) {
    guard let shape = try? ShapeReader.value(codec.type) else { return nil }
    let layout = CallLayout(parameters: [], result: shape, selfForm: .none)
    self.address = address
    self.codec = codec
    location = ValueLocation(layout.result, alignment: codec.alignment, isResult: true)
    isIndirect = layout.result.isIndirect
  }

  /// Initializes the memory at `target`. Runs code of the program's: the state must have been left.
  func make(into target: UnsafeMutableRawPointer) {
    Invocation.withFrame(stackBytes: 0) { frame, _ in
      if isIndirect { frame.pointee.indirectResult = UInt64(UInt(bitPattern: target)) }
      Invocation.call(UnsafeRawPointer(bitPattern: address), frame)
      if !isIndirect { location.gatherResult(frame, into: target, size: codec.size) }
    }
  }
}

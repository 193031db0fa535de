// SPDX-License-Identifier: MIT

import WaxwingValues

/// The work to be done for one argument, in a form that costs nothing to read: it has neither
/// reference counts nor arrays. The plan keeps alive the objects that it refers to.
package struct CallStep {
  /// The index of the argument in the plan.
  let index: Int
  /// The kind of the plain value; nil if the argument takes the codec.
  let plain: PlainKind?
  /// Where the whole value stands, in bytes from the start of the frame; nil: elsewhere, see the
  /// argument's location.
  let offset: Int?
  /// The offset in bytes in a call's memory where the argument is made, if it is not in the frame.
  let scratch: Int
  /// The function takes the value over.
  let isOwned: Bool
  /// The codec makes another value of one that Lua has not changed.
  let isRebuilt: Bool
  /// The value is an array of further arguments.
  let isVariadic: Bool
  let codec: Unmanaged<ValueCodec>

  init(_ argument: CallPlan.Argument, at index: Int, _ scratch: inout ScratchLayout) {
    self.index = index
    isOwned = argument.isOwned
    isRebuilt = argument.codec.isRebuilt
    isVariadic = argument.isVariadic
    codec = .passUnretained(argument.codec)
    plain = argument.codec.plain
    offset = argument.location.frameOffset
    self.scratch = offset == nil ? scratch.add(argument.codec) : 0
  }

  /// Makes the steps of the arguments, one for each. The caller deallocates the memory.
  static func list(
    _ arguments: [CallPlan.Argument], _ scratch: inout ScratchLayout
  ) -> UnsafeBufferPointer<CallStep> {
    let steps = UnsafeMutableBufferPointer<CallStep>.allocate(capacity: arguments.count)
    for (index, argument) in arguments.enumerated() {
      steps.initializeElement(at: index, to: CallStep(argument, at: index, &scratch))
    }
    return UnsafeBufferPointer(steps)
  }

  /// Where the value is, or is to be made.
  @inline(__always)
  func place(
    _ frame: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let offset { frame + offset } else { scratch + self.scratch }
  }
}

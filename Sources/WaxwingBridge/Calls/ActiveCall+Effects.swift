// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingValues

/// Tells whether the original of an override can have the override's arguments unchanged.
extension UnsafeMutablePointer where Pointee == ActiveCall {
  /// Whether Lua's value, which is read if so, is what an argument of the call is now.
  func matches(_ argument: CallPlan.Argument, _ reader: inout LuaReader) -> Bool {
    guard let memory = argument.location.memory(pointee.frame) else { return false }
    var read = reader
    guard argument.codec.matches(&read, memory) else { return false }
    reader = read
    return true
  }

  /// Whether a copy of an argument still has the value that came in.
  func isUnchanged(_ copy: UnsafeMutableRawPointer, _ argument: CallPlan.Argument) -> Bool {
    let codec = argument.codec
    return argument.withValue(pointee.frame, scratchBytes: pointee.plan.scratchBytes) { source in
      codec.withoutPadding(source) { came in
        codec.isSame(copy, came) || codec.withoutPadding(copy) { codec.isSame($0, came) }
      }
    }
  }
}

extension ValueCodec {
  /// Runs `body` with a copy whose padding is zero. A value in registers has any padding, and one that was
  /// copied by way of a temporary has the temporary's.
  fileprivate func withoutPadding(
    _ value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Bool
  ) -> Bool {
    if size == 0 { return body(value) }
    let copy = ValueBox.allocate(size: size, alignment: alignment)
    copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    ValueWitnesses(of: type).copy(value, to: copy)
    defer {
      destroy(copy)
      copy.deallocate()
    }
    return body(copy)
  }
}

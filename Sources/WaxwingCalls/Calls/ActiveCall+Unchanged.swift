// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingOverrides
internal import WaxwingPlans
internal import WaxwingValues

/// Whether the original of an override can have what the override came with, as it is.
extension UnsafeMutablePointer where Pointee == ActiveCall {
  /// Whether Lua's value, which is read if so, is what an argument of the call is now.
  func matches(_ argument: CallPlan.Argument, _ reader: inout LuaReader) -> Bool {
    guard let memory = argument.location.memory(pointee.frame) else { return false }
    var read = reader
    guard argument.codec.matches(&read, memory) else { return false }
    reader = read
    return true
  }

  /// Whether a copy of what came in for an argument is still what it was.
  func isUnchanged(_ copy: UnsafeMutableRawPointer, _ argument: CallPlan.Argument) -> Bool {
    let codec = argument.codec
    return argument.withValue(pointee.frame, scratchBytes: pointee.plan.scratchBytes) { source in
      let other = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
      // As the copy was made, so that padding is the same.
      other.initializeMemory(as: UInt8.self, repeating: 0, count: codec.size)
      codec.copy(source, to: other)
      defer {
        codec.destroy(other)
        other.deallocate()
      }
      return codec.isSame(copy, other)
    }
  }
}

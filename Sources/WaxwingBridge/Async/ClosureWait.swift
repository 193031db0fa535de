// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingLua

/// A call of an async Swift closure by Lua code.
/// Unchecked: as `Wait`.
final class ClosureWait: Wait, @unchecked Sendable {
  private enum Phase { case new, called, over }

  private let closure: SwiftClosure
  private let memory: WaitMemory
  private var phase = Phase.new
  private var isPlaced = false

  /// Lets the Lua code that calls wait for the closure.
  /// - Parameter reader: Stands at the first argument.
  static func begin(
    _ closure: SwiftClosure, _ call: inout LuaCall, _ reader: LuaReader
  ) throws(LuaRaise) {
    guard call.mayWait else {
      throw .message(
        "the closure \(closure.plan.typeName) is async, and code cannot wait here: call it in "
          + "task(function() ... end), or in an override of an async function")
    }
    if Task.isCancelled { throw .error(CancellationError()) }
    let wait = ClosureWait(closure)
    try closure.place(reader, wait.memory.frame, wait.memory.scratch)
    wait.isPlaced = true
    wait.begin(&call)
  }

  private init(_ closure: SwiftClosure) {
    self.closure = closure
    memory = WaitMemory(scratch: closure.plan.callBytes, stack: closure.plan.stackBytes)
  }

  deinit {
    guard isPlaced else { return }
    closure.forget(
      memory.frame, memory.scratch, wasCalled: phase != .new, hasReturned: phase == .over)
  }

  override func next() -> UnsafePointer<Suspension>? {
    guard phase == .new else {
      phase = .over
      // One that does not throw says nothing about an error.
      if !closure.plan.isThrowing { memory.frame.pointee.thrownError = 0 }
      return nil
    }
    phase = .called
    memory.suspension.initialize(
      to: .call(closure.value.code, memory.frame, stackBytes: closure.plan.stackBytes))
    return UnsafePointer(memory.suspension)
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    isPlaced = false
    try closure.complete(&call, memory.frame, memory.scratch)
  }
}

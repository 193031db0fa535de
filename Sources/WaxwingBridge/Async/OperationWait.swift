// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// A wait for an async function of the engine's own.
/// Unchecked: as `Wait`.
package class OperationWait: Wait, @unchecked Sendable {
  private struct Memory {
    var frame: Frame
    var suspension: Suspension
  }

  /// A function as closures are stored: its async function pointer comes first.
  private struct Stored {
    let function: @Sendable (UnsafeMutableRawPointer) async -> Void
  }

  /// Unchecked: a constant, the address of code.
  private static nonisolated(unsafe) let pointer: UnsafeRawPointer? = {
    let stored = Stored { wait in
      await Unmanaged<OperationWait>.fromOpaque(wait).takeUnretainedValue().run()
    }
    return unsafeBitCast(stored, to: (UnsafeRawPointer?, UnsafeRawPointer?).self).0
  }()

  private var memory: UnsafeMutablePointer<Memory>?

  deinit { memory?.deallocate() }

  /// Runs the operation to wait for.
  func run() async {}

  final override func next() -> UnsafePointer<Suspension>? {
    if memory != nil { return nil }
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    var frame = Frame(stackArguments: nil)
    frame.integerArguments.0 = UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    memory.initialize(
      to: Memory(
        frame: frame, suspension: .call(Self.pointer, memory.pointer(to: \.frame).unsafelyUnwrapped)
      ))
    self.memory = memory
    return UnsafePointer(memory.pointer(to: \.suspension).unsafelyUnwrapped)
  }
}

/// `sleep(seconds)`
/// Unchecked: as `Wait`.
package final class SleepWait: OperationWait, @unchecked Sendable {
  private let seconds: Double
  private let until: ContinuousClock.Instant
  private let end = Latch()
  private let ticket: Int
  private var isComplete = false

  package init(_ seconds: Double) {
    self.seconds = seconds
    until = ContinuousClock.now.advanced(by: .seconds(min(seconds, 1e9)))
    ticket = end.ticket()
  }

  /// Whether the wait goes on for more than a second.
  var isLong: Bool { ContinuousClock.now.duration(to: until) > .seconds(1) }

  override func run() async {
    let timer = Task { [end, seconds] in
      try? await Task.sleep(for: .seconds(seconds))
      if !Task.isCancelled { end.open() }
    }
    isComplete = await end.wait(ticket)
    timer.cancel()
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    if !isComplete { throw .error(CancellationError()) }
  }

  override func interrupt() { end.giveUp(ticket) }
}

/// A wait for a task's end, or for a continuation.
/// Unchecked: as `Wait`.
package final class LatchWait: OperationWait, @unchecked Sendable {
  private let latch: Latch
  private let continuation: Int?
  private let ticket: Int
  private var isOpen = false

  /// - Parameter continuation: The number that is free after the wait.
  package init(_ latch: Latch, continuation: Int? = nil) {
    self.latch = latch
    self.continuation = continuation
    ticket = latch.ticket()
  }

  /// Whether this waits for a continuation that has not been resumed.
  var isForContinuation: Bool { continuation != nil && !latch.isOpen }

  override func run() async { isOpen = await latch.wait(ticket) }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    if let continuation { PatchContext.context(of: call)?.continuations.remove(continuation) }
    if !isOpen { throw .error(CancellationError()) }
  }

  override func interrupt() { latch.giveUp(ticket) }
}

/// `all`, `race`, `timeout`: functions that run as child tasks.
/// Unchecked: as `Wait`.
package final class ChildrenWait: OperationWait, @unchecked Sendable {
  private let children: [ScriptChild]
  private let quota: TaskQuota
  private var isCancelled = false

  /// - Parameter quota: Has room for them, which this gives back.
  package init(_ children: [ScriptChild], _ quota: TaskQuota) {
    self.children = children
    self.quota = quota
  }

  deinit { quota.remove(children.count) }

  override func run() async {
    await withTaskGroup(of: Bool.self) { group in
      for child in children {
        group.addTask {
          await child.run()
          return child.endsOthers
        }
      }
      for await endsOthers in group where endsOthers { group.cancelAll() }
    }
    isCancelled = Task.isCancelled
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    if isCancelled { throw .error(CancellationError()) }
  }
}

/// One child of a task group of the script. Unchecked: as `Activity`.
package final class ScriptChild: DrivenActivity, @unchecked Sendable {
  /// Whether the others are to be cancelled. Written by its last turn.
  private(set) var endsOthers = false

  override func ended(_ answer: Bool) { endsOthers = answer }
  override func failed(_ failure: LuaFailure) {
    endsOthers = true
    super.failed(failure)
  }
}

/// `for x in each(sequence)`: a wait for the next element.
/// Unchecked: as `Wait`.
package final class ElementWait: OperationWait, @unchecked Sendable {
  private let iterator: AsyncIteratorBox
  private var element: Result<Any?, any Error> = .success(nil)

  package init(_ iterator: AsyncIteratorBox) { self.iterator = iterator }

  override func run() async {
    do {
      element = .success(try await iterator.next(isolation: nil))
    } catch {
      element = .failure(error)
    }
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    switch element {
    case .success(nil): call.writer.nil()
    // nil ends a loop; an element that is nil does not.
    case .success(let value?) where (value as? any OptionalType)?.isNil == true: call.writer.null()
    case .success(let value?):
      if value is any OptionalType {
        try push(value, call)
      } else {
        try push(value, as: Any.self, call)
      }
      // Lua alone holds it from here on.
      wax_lua_push_call_results(call.raw)
    case .failure(let error): throw .error(error)
    }
  }

  /// Pushes the element as a value of its own type: an optional is pushed as the value in it.
  private func push(_ value: Any, _ call: LuaCall) throws(LuaRaise) {
    var failure: LuaRaise?
    func push<Value>(_ value: Value) {
      do throws(LuaRaise) {
        try self.push(value, as: Value.self, call)
      } catch {
        failure = error
      }
    }
    _openExistential(value, do: push)
    if let failure { throw failure }
  }

  private func push<Value>(
    _ value: Value, as type: Value.Type, _ call: LuaCall
  ) throws(LuaRaise) {
    let codec: ValueCodec
    do throws(UnsupportedType) {
      codec = try CodecLibrary.codec(for: type, as: .natural)
    } catch {
      throw .message("an element cannot cross: \(error.reason)")
    }
    withUnsafePointer(to: value) {
      codec.push(UnsafeMutableRawPointer(mutating: $0), call.writer)
    }
  }
}

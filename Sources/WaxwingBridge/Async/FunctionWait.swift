// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime
internal import WaxwingLua

/// A call of an async Swift function by Lua code.
final class FunctionWait: Wait, @unchecked Sendable {
  private typealias Frame = UnsafeMutablePointer<waxwing_frame>

  private enum Phase {
    case new
    /// Through the overrides below one of the script's, to the program's code.
    case originalCalled
    case called
    case over
  }

  private let call: FunctionCall
  private let form: FunctionCall.Form
  /// The frame, what is waited for, and the room for values.
  private let memory: Memory
  private var values: FunctionCall.Values?
  private var phase = Phase.new
  /// Of the override that this calls the original of.
  private let activation: UnsafeMutablePointer<Activation>?
  /// The object that it is called on.
  private var receiver: UnsafeMutableRawPointer?
  private var outcomeIsTaken = false
  /// How the original is called.
  private var original: OriginalRun?

  /// Lets the Lua code that calls wait for the function.
  static func begin(
    _ call: FunctionCall, _ luaCall: inout LuaCall, _ form: FunctionCall.Form,
    _ bound: BoundArguments?
  ) throws(LuaRaise) {
    guard luaCall.mayWait else {
      throw .message(
        "\(call.name) is async, and nothing can wait here: call it in task(function() ... end), or "
          + "in an override of an async function")
    }
    if case .current = call.target, Task.isCancelled { throw .error(CancellationError()) }
    let wait = FunctionWait(call, form)
    wait.values = try call.place(&luaCall, form, bound, wait.memory.frame, wait.memory.room)
    wait.keepReceiver()
    wait.begin(&luaCall)
  }

  private init(_ call: FunctionCall, _ form: FunctionCall.Form) {
    self.call = call
    self.form = form
    memory = Memory(call.plan)
    activation = call.activation
    super.init()
  }

  deinit {
    if let receiver { ObjectReference.release(receiver) }
    guard let values else { return }
    // It was begun, and nobody took what came of it.
    values.watch?.forget()
    values.copy?.end(wasPassed: phase != .new)
    call.destroyArguments(
      call.plan.steps.count, memory.frame, memory.room, onlyBorrowed: phase != .new,
      except: phase == .new ? values.omitted : [])
    if phase == .over, !outcomeIsTaken { call.plan.forgetOutcome(memory.frame, room: memory.room) }
  }

  /// The script may be gone before the function returns.
  private func keepReceiver() {
    guard call.plan.objectReceiver != nil,
      let object = UnsafeMutableRawPointer(bitPattern: UInt(memory.frame.pointee.`self`))
    else { return }
    ObjectReference.retain(object)
    receiver = object
  }

  // MARK: The call

  override func next() -> UnsafePointer<waxwing_wait>? {
    switch phase {
    case .new:
      let omitted = values?.omitted ?? []
      if !omitted.isEmpty { call.makeDefaults(omitted, memory.frame, memory.room) }
      if let original = originalRun() {
        self.original = original
        phase = .originalCalled
        return original.wait
      }
      return callFunction()
    case .originalCalled:
      if original?.wasRemoved == true { return callFunction() }
      return end()
    case .called, .over: return end()
    }
  }

  private func callFunction() -> UnsafePointer<waxwing_wait>? {
    phase = .called
    memory.wait.initialize(
      to: .call(call.address, memory.frame, stackBytes: call.plan.stackBytes))
    return UnsafePointer(memory.wait)
  }

  private func end() -> UnsafePointer<waxwing_wait>? {
    phase = .over
    // A function that does not throw says nothing about an error.
    if !call.plan.throwsErrors { memory.frame.pointee.error = 0 }
    return nil
  }

  private func originalRun() -> OriginalRun? {
    guard case .original(let point) = call.target else { return nil }
    if let layer = activation?.pointee.layer { return OriginalRun(layer, memory.frame) }
    guard let override = point.oldest, let layer = override.layer else { return nil }
    return OriginalRun(layer, memory.frame, ifInstalled: true)
  }

  /// For a script that has ended: what the original did stands, though Lua did not see it.
  func settle() {
    guard phase == .over, values != nil, let activation else { return }
    let plan = call.plan
    if !plan.inouts.isEmpty {
      activation.pointee.saveInouts(call.inoutPlaces(memory.frame, memory.room), plan.inouts)
    }
    if memory.frame.pointee.error != 0 {
      activation.pointee.originalThrew(plan.outcome.takeError(memory.frame, room: memory.room))
    } else {
      let result = plan.result.map {
        plan.outcome.collect($0, memory.frame, room: memory.room)
      }
      activation.pointee.originalReturned(result, plan.result)
    }
    outcomeIsTaken = true
  }

  override func finish(_ luaCall: inout LuaCall) throws(LuaRaise) {
    guard let values else { return }
    self.values = nil
    try call.complete(luaCall, form, values, memory.frame, memory.room, activation)
  }
}

extension FunctionWait {
  /// The memory of one call.
  private final class Memory {
    private static let header =
      MemoryLayout<waxwing_frame>.stride + MemoryLayout<waxwing_wait>.stride

    private let bytes: UnsafeMutableRawPointer
    let frame: UnsafeMutablePointer<waxwing_frame>
    let wait: UnsafeMutablePointer<waxwing_wait>
    let room: UnsafeMutableRawPointer

    init(_ plan: CallPlan) {
      let start = (Self.header + 15) / 16 * 16
      bytes = .allocate(byteCount: start + plan.callBytes + plan.stackBytes, alignment: 16)
      frame = bytes.initializeMemory(as: waxwing_frame.self, to: waxwing_frame())
      wait = (bytes + MemoryLayout<waxwing_frame>.stride).bindMemory(
        to: waxwing_wait.self, capacity: 1)
      room = bytes + start
      frame.pointee.stack = (room + plan.callBytes).assumingMemoryBound(to: UInt64.self)
    }

    deinit { bytes.deallocate() }
  }
}

// SPDX-License-Identifier: MIT

import CWaxwingRuntime
import ClobberProbe
import Expectations
import Testing

/// One patch point made by hand: an entry, and the probe as the function behind it.
private final class PatchPoint {
  let entry = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
  let slot: OpaquePointer
  let session = wax_runtime_session_switch_create()!

  /// `ownCode`: the entry holds the function's own address, so that originals are called with the
  /// mark. The entry is never freed: the slot keeps it.
  init(stackWords: Int, ownCode: Bool = true) throws {
    let function = probe_function_address()
    entry.initialize(to: UnsafeMutableRawPointer(mutating: function))
    probe_use_entry(entry)
    var slot: OpaquePointer?
    let claim = wax_runtime_slot_claim(
      wax_runtime_point(
        kind: WAX_RUNTIME_ENTRY_REPLACEMENT, is_async: false, entry: entry,
        function: ownCode ? function : nil, stack_bytes: stackWords * 8, code_size: 0), &slot)
    try #require(claim == WAX_RUNTIME_CLAIM_OK)
    self.slot = try #require(slot)
  }

  deinit { wax_runtime_session_switch_destroy(session) }

  var stub: UnsafeRawPointer { UnsafeRawPointer(entry.pointee!) }

  func install(_ handler: wax_runtime_handler, _ context: UnsafeMutableRawPointer?) -> OpaquePointer
  {
    let layer = wax_runtime_layer_create(slot, session, wax_runtime_rank(), handler, context)!
    precondition(wax_runtime_layer_install(layer) == WAX_RUNTIME_CLAIM_OK)
    return layer
  }

  /// Until here no call is in flight: the tests of this file are the only callers.
  func restore(_ layers: OpaquePointer...) {
    for layer in layers {
      wax_runtime_layer_remove(layer)
      wax_runtime_layer_destroy(layer)
    }
    expectEqual(wax_runtime_slot_restore(slot), WAX_RUNTIME_RESTORE_DONE)
    #expect(wax_runtime_slot_is_at_baseline(slot))
  }
}

/// What a handler saw and what it is to answer.
private final class Script {
  var seen = wax_runtime_frame()
  var seenStack: [UInt64] = []
  var answer = probe_registers()
  var error: UInt64?
  var layer: OpaquePointer?

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func at(_ context: UnsafeMutableRawPointer?) -> Script {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }
}

private let scripted: wax_runtime_handler = { context, frame in
  let script = Script.at(context)
  script.seen = frame!.pointee
  script.seenStack = Array(
    UnsafeBufferPointer(start: frame!.pointee.stack, count: Int(PROBE_STACK_WORDS)))
  setResults(of: &frame!.pointee, to: script.answer)
  if let error = script.error { frame!.pointee.error = error }
  return true
}

private let callingNext: wax_runtime_handler = { context, frame in
  let script = Script.at(context)
  wax_runtime_call_next(script.layer, frame)
  script.seen = frame!.pointee
  return true
}

private let declining: wax_runtime_handler = { _, _ in false }

@Suite(.serialized, .enabled(if: wax_runtime_cpu_supported()))
struct ClobberTests {
  let before = distinctRegisters(seed: 1)
  let answer = distinctRegisters(seed: 2)
  var after = probe_registers()

  @Test mutating func `a handler sees every argument register and the stack arguments`() throws {
    let point = try PatchPoint(stackWords: 16)
    let script = Script()
    let layer = point.install(scripted, script.context)
    wax_runtime_session_switch_set(point.session, true)
    withUnsafePointer(to: before) { probe_call(point.stub, $0, &after) }
    expectEqual(arguments(script.seen), arguments(before))
    expectEqual(script.seen.entry_error, before.r12)
    expectEqual(script.seenStack, stack(before))
    point.restore(layer)
  }

  @Test mutating func `a handler's results reach the caller, who finds its registers kept`() throws
  {
    let point = try PatchPoint(stackWords: 0)
    let script = Script()
    script.answer = answer
    let layer = point.install(scripted, script.context)
    wax_runtime_session_switch_set(point.session, true)
    withUnsafePointer(to: before) { probe_call(point.stub, $0, &after) }
    expectEqual(results(after), results(answer))
    expectEqual(kept(after), kept(before))
    expectEqual(after.r12, before.r12)
    expectEqual(after.flags & directionFlag, 0)
    point.restore(layer)
  }

  @Test(arguments: [0, 0xDEAD_BEEF_0000_0001] as [UInt64])
  mutating func `a handler's error is what the caller finds in r12`(error: UInt64) throws {
    let point = try PatchPoint(stackWords: 0)
    let script = Script()
    script.error = error
    let layer = point.install(scripted, script.context)
    wax_runtime_session_switch_set(point.session, true)
    withUnsafePointer(to: before) { probe_call(point.stub, $0, &after) }
    expectEqual(after.r12, error)
    expectEqual(kept(after), kept(before))
    point.restore(layer)
  }

  @Test(arguments: 0...16)
  mutating func `a call passes through to the original as if nothing were there`(
    stackWords: Int
  ) throws {
    let point = try PatchPoint(stackWords: stackWords)
    let layer = point.install(scripted, nil)
    try expectOriginal(through: point, stackWords: stackWords, marked: true)
    point.restore(layer)
  }

  @Test mutating func `a call goes on when every handler declines`() throws {
    let point = try PatchPoint(stackWords: 3)
    let layers = [point.install(declining, nil), point.install(declining, nil)]
    wax_runtime_session_switch_set(point.session, true)
    try expectOriginal(through: point, stackWords: 3, marked: true)
    point.restore(layers[0], layers[1])
  }

  @Test mutating func `a foreign replacement is called without the mark`() throws {
    let point = try PatchPoint(stackWords: 2, ownCode: false)
    let layer = point.install(declining, nil)
    try expectOriginal(through: point, stackWords: 2, marked: false)
    point.restore(layer)
  }

  @Test mutating func `the stub of a restored entry jumps to the original`() throws {
    let point = try PatchPoint(stackWords: 16)
    let layer = point.install(declining, nil)
    let stub = point.stub
    point.restore(layer)
    probe_prepare([answer], false)
    withUnsafePointer(to: before) { probe_call(stub, $0, &after) }
    let seen = probe_seen_registers()!.pointee
    expectEqual(arguments(seen), arguments(before))
    expectEqual(stack(seen), stack(before))
    expectEqual(results(after), results(answer))
    expectEqual(kept(after), kept(before))
    #expect(probe_was_marked())
    #expect(!probe_take_mark())
  }

  @Test(arguments: 0...16)
  mutating func `call_next calls the original with the frame's arguments`(
    stackWords: Int
  ) throws {
    let point = try PatchPoint(stackWords: stackWords)
    let script = Script()
    script.layer = point.install(callingNext, script.context)
    wax_runtime_session_switch_set(point.session, true)
    try expectOriginal(through: point, stackWords: stackWords, marked: true)
    expectEqual(arguments(script.seen), arguments(before))
    point.restore(try #require(script.layer))
  }

  @Test mutating func `an error that the original throws reaches handler and caller`() throws {
    let point = try PatchPoint(stackWords: 0)
    let script = Script()
    script.layer = point.install(callingNext, script.context)
    wax_runtime_session_switch_set(point.session, true)
    probe_prepare([answer], true)
    withUnsafePointer(to: before) { probe_call(point.stub, $0, &after) }
    expectEqual(script.seen.error, answer.r12)
    expectEqual(after.r12, answer.r12)
    expectEqual(kept(after), kept(before))
    point.restore(try #require(script.layer))
  }

  @Test(arguments: 0...16)
  mutating func `an invoked function sees the frame and its results come back`(
    stackWords: Int
  ) throws {
    probe_prepare([answer], true)
    var frame = frame(before)
    var stackArguments = stack(before)
    stackArguments.withUnsafeMutableBufferPointer {
      frame.stack = $0.baseAddress
      wax_runtime_invoke(probe_function_address(), &frame, stackWords * 8)
    }
    let seen = probe_seen_registers()!.pointee
    expectEqual(
      arguments(seen).merging(["r12": 0]) { $1 }, arguments(before).merging(["r12": 0]) { $1 })
    expectEqual(seen.r12, before.r12)
    expectEqual(stack(seen).prefix(stackWords), stack(before).prefix(stackWords))
    expectEqual(seen.rsp % 16, 8)
    expectEqual(seen.flags & directionFlag, 0)
    expectEqual(results(frame), results(answer))
    expectEqual(frame.error, answer.r12)
    expectEqual(stackArguments, stack(before))
    #expect(!probe_was_marked())
  }

  @Test func `an invoker keeps its caller's registers`() {
    probe_prepare([answer], false)
    var after = probe_registers()
    var frame = frame(before)
    // The invoker itself as the probed function: its caller is `probe_call`.
    var registers = before
    withUnsafeMutablePointer(to: &frame) { frame in
      registers.rdi = UInt64(UInt(bitPattern: probe_function_address()))
      registers.rsi = UInt64(UInt(bitPattern: frame))
      registers.rdx = 0
      probe_call(invokeAddress, &registers, &after)
    }
    expectEqual(kept(after), kept(before))
    expectEqual(after.r12, before.r12)
    expectEqual(results(frame), results(answer))
  }

  private var invokeAddress: UnsafeRawPointer {
    typealias Invoker =
      @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<wax_runtime_frame>?, Int) -> Void
    return unsafeBitCast(wax_runtime_invoke as Invoker, to: UnsafeRawPointer.self)
  }

  /// One call through the stub reaches the probe once, unchanged, and its answer the caller.
  private mutating func expectOriginal(
    through point: PatchPoint, stackWords: Int, marked: Bool
  ) throws {
    probe_prepare([answer], false)
    withUnsafePointer(to: before) { probe_call(point.stub, $0, &after) }
    let seen = probe_seen_registers()!.pointee
    expectEqual(probe_entry_count(), 1)
    expectEqual(arguments(seen), arguments(before))
    expectEqual(stack(seen).prefix(stackWords), stack(before).prefix(stackWords))
    expectEqual(seen.rsp % 16, 8)
    expectEqual(seen.mxcsr, before.mxcsr)
    expectEqual(seen.flags & directionFlag, 0)
    expectEqual(results(after), results(answer))
    expectEqual(kept(after), kept(before))
    expectEqual(after.r12, before.r12)
    expectEqual(after.flags & directionFlag, 0)
    expectEqual(probe_was_marked(), marked)
    #expect(!probe_take_mark())
  }
}

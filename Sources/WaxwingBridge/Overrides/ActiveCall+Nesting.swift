// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection

/// Calls of overrides that are in one another until there is no room for another one. All of them
/// fail; the outermost says so.
final class NestedCalls: Sendable {
  /// How many there are.
  let levels: Int
  /// The names of the other functions through which the calls return to the function of the
  /// outermost call.
  let others: [String]
  /// Why there is no room for another one.
  let reason: Override.Bypass

  init(levels: Int, others: [String], reason: Override.Bypass) {
    self.levels = levels
    self.others = others
    self.reason = reason
  }

  /// The error message for the function with this name.
  func message(_ function: String) -> String {
    let named = others.prefix(3).joined(separator: ", ")
    let way = others.isEmpty ? "" : ", by way of \(named)\(others.count > 3 ? ", …" : "")"
    let end = reason == .depth ? " (`limits.depth`)" : "; then \(reason.text)"
    return
      "the override of \(function) calls itself through the program\(way): \(levels) levels\(end)"
  }
}

extension ActiveCall {
  /// Whether this is one of the nested calls that all fail. Functions that are called in it run
  /// without their overrides.
  var isEnding: Bool { record.depth == WAX_CALL_ENDING_DEPTH }

  /// The description of the nested calls that fail, which the outermost of them holds; nil for any
  /// other call.
  var nesting: NestedCalls? {
    record.nesting.map { Unmanaged<NestedCalls>.fromOpaque($0).takeUnretainedValue() }
  }

  mutating func forgetNesting() {
    guard let nesting = record.nesting else { return }
    Unmanaged<NestedCalls>.fromOpaque(nesting).release()
    record.nesting = nil
  }

  private var whole: Override { running.whole }

  /// A call of an async function has arrived: it is not on a thread's list of calls, but its task's.
  mutating func arrive(_ asyncCall: UnsafeMutablePointer<AsyncCall>) {
    record.async_call = asyncCall
    if let outer = asyncCall.outerCall { record.depth = outer.pointee.record.depth + 1 }
  }

  /// The current thread's calls of overrides that are not async, innermost first.
  private static var onStack: [UnsafeMutablePointer<ActiveCall>] {
    ActiveCalls().filter { $0.pointee.record.async_call == nil }
  }

  /// Whether this thread is in a call of the override.
  static func isIn(_ override: Override) -> Bool {
    onStack.contains { $0.pointee.whole === override.whole }
  }

  /// Ends the nested calls that lead to this override by calling one another, because there is no
  /// room for one more call.
  static func endNested(calling override: Override, for reason: Override.Bypass) {
    if let outermost = end(onStack, calling: override, for: reason) {
      wax_lua_stop_nested(outermost.pointee.record.coroutine)
    }
  }

  /// Ends the nested calls that wait for this async call, because there is no room for one more.
  /// Each of them ends when its Lua code would go on.
  static func endNested(
    calling override: Override, _ asyncCall: UnsafeMutablePointer<AsyncCall>,
    for reason: Override.Bypass
  ) {
    var waiting: [UnsafeMutablePointer<ActiveCall>] = []
    var outer = asyncCall.outerCall
    while let call = outer {
      waiting.append(call)
      outer = call.pointee.record.async_call?.outerCall
    }
    _ = end(waiting, calling: override, for: reason)
  }

  /// The innermost ones say which overrides these are, and the outermost call of one of these is where it
  /// has begun.
  /// - Returns: That.
  private static func end(
    _ calls: [UnsafeMutablePointer<ActiveCall>], calling override: Override,
    for reason: Override.Bypass
  ) -> UnsafeMutablePointer<ActiveCall>? {
    guard let innermost = calls.first, !innermost.pointee.isEnding else { return nil }
    let recent = [override.whole] + calls.prefix(max(calls.count / 4, 1)).map(\.pointee.whole)
    guard
      let last = calls.lastIndex(where: { call in recent.contains { $0 === call.pointee.whole } })
    else { return nil }
    let outermost = calls[last]
    var others: [String] = []
    for one in recent where one !== outermost.pointee.whole {
      let name = one.functionName
      if !others.contains(name) { others.append(name) }
    }
    let nesting = NestedCalls(levels: last + 1, others: others, reason: reason)
    outermost.pointee.record.nesting = Unmanaged.passRetained(nesting).toOpaque()
    for call in calls[...last] { call.pointee.record.depth = Int64(WAX_CALL_ENDING_DEPTH) }
    return outermost
  }
}

extension UnsafeMutablePointer where Pointee == AsyncCall {
  /// The innermost call of an override that waits for this one.
  fileprivate var outerCall: UnsafeMutablePointer<ActiveCall>? {
    outerRecord?.assumingMemoryBound(to: ActiveCall.self)
  }
}

extension LuaFailure {
  /// The failure of a call that was to end with its nested calls but has returned nevertheless.
  static let nested = LuaFailure(
    kind: .limit, message: "", rawMessage: "", frames: [], swiftError: nil)
}

// MARK: - The end of nested calls

extension OverrideInvoker {
  /// The number of nested overrides in which no further call finds room. In a call that is to end
  /// there is never room.
  var mostDepth: Int { min(options.depth, Int(WAX_CALL_ENDING_DEPTH)) }

  /// Ends a call for which there is no room, of an override that calls itself.
  /// - Returns: Whether it has ended. If not, the original is to run.
  func endNested(_ frame: FramePointer, for reason: Override.Bypass) -> Bool {
    ActiveCall.endNested(calling: override, for: reason)
    if cancel(frame) { return true }
    override.bypass(reason)
    return false
  }

  /// Ends the nested calls around an async call if there is no room for it.
  /// - Returns: False if there is room.
  func declinesNested(_ asyncCall: UnsafeMutablePointer<AsyncCall>) -> Bool {
    guard let outer = asyncCall.outerCall, outer.pointee.record.depth >= mostDepth else {
      return false
    }
    if options.purpose != .watch {
      ActiveCall.endNested(calling: override, asyncCall, for: .depth)
      if cancel(asyncCall) { return true }
    }
    override.bypass(.depth)
    asyncCall.keepOuterRecord()
    asyncCall.pointee.isDeclined = true
    return true
  }

  /// The end of one of nested calls that fail.
  /// - Parameter cancel: Ends it without the original, if its caller is to end as well.
  func recover(
    fromNesting failure: LuaFailure, _ frame: FramePointer, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>, _ fault: inout OverrideFault?,
    cancel: () -> Bool
  ) -> Bool {
    if let nesting = active.pointee.nesting {
      let told = told(nesting, failure, originalRan: active.pointee.originalRan)
      return recover(from: told, frame, coroutine, active, &fault)
    }
    if !active.pointee.originalRan, cancel() { return true }
    var untold: OverrideFault?
    return recover(from: failure, frame, coroutine, active, &untold)
  }

  private func told(_ nesting: NestedCalls, _ failure: LuaFailure, originalRan: Bool) -> LuaFailure
  {
    let position = failure.position ?? override.declaredAt
    let start = position.map { "\($0.source):\($0.line ?? 0): " } ?? ""
    let own = plan.function.declaration.contextType == nil ? "" : "self, "
    let remedy = originalRan ? "" : "; `original(\(own)…)` calls the original"
    return LuaFailure(
      kind: .limit, message: start + nesting.message(name) + remedy, rawMessage: "",
      frames: failure.frames, swiftError: nil)
  }

  /// Ends a call whose caller is Lua code that is to end as well, without the original.
  func cancel(_ frame: FramePointer) -> Bool {
    guard mayBeCancelled, frame.mayCancel, wax_lua_is_stopped_nested() else { return false }
    consumeArguments(frame)
    frame.cancel()
    return true
  }

  /// Ends an async call whose caller is Lua code that is to end as well, without calling the
  /// original.
  func cancel(_ asyncCall: UnsafeMutablePointer<AsyncCall>) -> Bool {
    guard mayBeCancelled, asyncCall.mayCancel, asyncCall.outerCall?.pointee.isEnding == true,
      let frame = asyncCall.pointee.callFrame
    else { return false }
    consumeArguments(frame)
    asyncCall.cancel()
    return true
  }

  /// Whether a call can be ended without the original: it leaves nothing behind but arguments, and
  /// all of them can be released.
  private var mayBeCancelled: Bool {
    if plan.isInitializer || plan.initializedType != nil { return false }
    if plan.hasOpaque, plan.consumesReceiver || plan.ownsArguments { return false }
    return true
  }
}

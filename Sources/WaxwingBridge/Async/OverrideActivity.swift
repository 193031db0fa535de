// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// One call of an async function in its override. Unchecked: as `Activity`.
final class OverrideActivity: Activity, @unchecked Sendable {
  let invoker: OverrideInvoker
  private let asyncCall: UnsafeMutablePointer<AsyncCall>
  private let frame: FramePointer
  private let active: UnsafeMutablePointer<ActiveCall>
  private(set) var isHandled = false
  private var fault: OverrideFault?

  init(
    _ invoker: OverrideInvoker, _ asyncCall: UnsafeMutablePointer<AsyncCall>, _ frame: FramePointer,
    in patch: PatchContext
  ) {
    self.invoker = invoker
    self.asyncCall = asyncCall
    self.frame = frame
    active = Self.allocate()
    active.initialize(
      to: ActiveCall(invoker.override, invoker.plan, frame, isAsync: true))
    active.pointee.arrive(asyncCall)
    asyncCall.pointee.handlerRecord = UnsafeMutableRawPointer(active)
    active.pointee.callerActor = invoker.plan.callerActorWords(frame)
    super.init(in: patch, active)
  }

  /// Creates the activity of a call of which C has run the first turn.
  /// - Parameter active: Made by `malloc`; taken over.
  init(
    adopting active: UnsafeMutablePointer<ActiveCall>, _ invoker: OverrideInvoker,
    _ asyncCall: UnsafeMutablePointer<AsyncCall>, _ frame: FramePointer, in patch: PatchContext
  ) {
    self.invoker = invoker
    self.asyncCall = asyncCall
    self.frame = frame
    self.active = active
    super.init(in: patch, active)
  }

  deinit {
    active.pointee.forget()
    active.deinitialize(count: 1)
    free(active)
  }

  private static func allocate() -> UnsafeMutablePointer<ActiveCall> {
    guard let memory = malloc(MemoryLayout<ActiveCall>.size) else {
      preconditionFailure("out of memory")
    }
    return memory.bindMemory(to: ActiveCall.self, capacity: 1)
  }

  override var name: String { invoker.name }

  override func begin(_ coroutine: LuaCoroutine) -> Int32 {
    invoker.override.countCall()
    patch.pushesForAsync = true
    invoker.push(frame, coroutine, active)
    patch.pushesForAsync = false
    return invoker.reference
  }

  override func conclude(_ coroutine: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {
    guard let coroutine else {
      fault = .noMemory(invoker.name)
      return
    }
    defer { invoker.invalidateReceiver(coroutine) }
    do throws(LuaFailure) {
      let count = try result.get()
      if active.pointee.isEnding { throw .nested }
      try invoker.finish(frame, coroutine, count, active)
      if invoker.plan.ownsArguments { invoker.consumeArguments(frame) }
      isHandled = true
    } catch  where active.pointee.isEnding {
      isHandled = invoker.recover(fromNesting: error, frame, coroutine, active, &fault) {
        invoker.cancel(asyncCall)
      }
    } catch {
      isHandled = invoker.recover(from: error, frame, coroutine, active, &fault)
    }
    if invoker.override.isOnce { patch.overrides.settle(invoker.override) }
  }

  override func conclude(abandoned wait: Wait?) {
    wait?.settle()
    if let outcome = (wait as? CompiledWait)?.takeOutcome() {
      active.pointee.settle(outcome, invoker.plan)
    }
    isHandled = invoker.endWithoutLua(frame, active)
  }

  /// Reports the outcome after the activity's end, with the state left.
  func report() {
    if let fault { invoker.override.fail(fault) }
    if isHandled, invoker.plan.mayKeepReceiver, !active.pointee.originalRan,
      !active.pointee.isEnding
    {
      invoker.override.noteKeptReceiver()
    }
  }
}

extension OverrideInvoker {
  /// The steps of a call in an override of an async function: see `AsyncHandler`.
  func step(_ asyncCall: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    if asyncCall.pointee.handlerState == nil {
      if declinesNested(asyncCall) { return nil }
      if let reason = Override.Bypass.ofStack {
        override.bypass(reason)
        asyncCall.pointee.isDeclined = true
        return nil
      }
      if let suspension = arrive(asyncCall) { return suspension }
    }
    return proceed(asyncCall)
  }

  /// Takes over what C has begun: see `wax_call_override.adopt`.
  func adopt(
    _ asyncCall: UnsafeMutablePointer<AsyncCall>, _ coroutine: LuaCoroutine,
    _ active: UnsafeMutablePointer<ActiveCall>, _ status: Int32,
    _ waits: UnsafeMutablePointer<wax_lua_callback>?,
    _ outer: UnsafeMutablePointer<wax_call_active>?
  ) -> UnsafePointer<Suspension>? {
    guard let frame = asyncCall.pointee.callFrame, let patch = PatchContext.context(of: state)
    else {
      preconditionFailure("a call has no frame, or its state no script")
    }
    let activity = OverrideActivity(adopting: active, self, asyncCall, frame, in: patch)
    if let waits {
      activity.adopt(coroutine, waits)
    } else {
      activity.adopt(coroutine) { () throws(LuaFailure) in
        try coroutine.outcome(status, Int32(wax_call_first_result()))
      }
    }
    wax_lua_set_active_call(outer)
    wax_lua_leave(state.handle)
    activity.enlist()
    asyncCall.pointee.handlerState = Unmanaged.passRetained(activity).toOpaque()
    return proceed(asyncCall)
  }

  private func proceed(
    _ asyncCall: UnsafeMutablePointer<AsyncCall>
  ) -> UnsafePointer<Suspension>? {
    guard let state = asyncCall.pointee.handlerState else { return nil }
    let activity = Unmanaged<OverrideActivity>.fromOpaque(state)
    if case .waits(let suspension) = activity._withUnsafeGuaranteedRef({ $0.turn() }) {
      return suspension
    }
    asyncCall.pointee.handlerRecord = nil
    asyncCall.pointee.isDeclined = !activity._withUnsafeGuaranteedRef { $0.isHandled }
    activity._withUnsafeGuaranteedRef { $0.report() }
    activity.release()
    return nil
  }

  /// - Returns: The suspension before the first turn; nil if there is none.
  private func arrive(_ asyncCall: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    guard let frame = asyncCall.pointee.callFrame, let patch = PatchContext.context(of: state)
    else {
      return nil
    }
    plan.resultAddress?.receiveResultAddress(frame)
    asyncCall.pointee.handlerState = Unmanaged.passRetained(
      OverrideActivity(self, asyncCall, frame, in: patch)
    )
    .toOpaque()
    guard let home = plan.home(frame) else { return nil }
    asyncCall.pointee.setHome(home.raw)
    return home.isCurrent ? nil : asyncCall.hop(to: home.raw)
  }
}

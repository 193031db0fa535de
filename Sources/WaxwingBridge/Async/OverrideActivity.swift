// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// One call of an async function in its override.
/// Unchecked: as `Activity`.
final class OverrideActivity: Activity, @unchecked Sendable {
  let body: OverrideInvoker
  private let run: UnsafeMutablePointer<AsyncCall>
  private let frame: FramePointer
  private let activation: UnsafeMutablePointer<ActiveCall>
  private(set) var isHandled = false
  private var fault: OverrideFault?

  init(
    _ body: OverrideInvoker, _ run: UnsafeMutablePointer<AsyncCall>, _ frame: FramePointer,
    in runtime: PatchContext
  ) {
    self.body = body
    self.run = run
    self.frame = frame
    activation = Self.allocate()
    activation.initialize(
      to: ActiveCall(body.override, body.plan, frame, isAsync: true))
    activation.pointee.arrive(run)
    run.pointee.handlerRecord = UnsafeMutableRawPointer(activation)
    activation.pointee.callerActor = body.plan.callerActorWords(frame)
    super.init(in: runtime, activation)
  }

  /// One of which C has run the first turn.
  /// - Parameter activation: Made by `malloc`; taken over.
  init(
    adopting activation: UnsafeMutablePointer<ActiveCall>, _ body: OverrideInvoker,
    _ run: UnsafeMutablePointer<AsyncCall>, _ frame: FramePointer, in runtime: PatchContext
  ) {
    self.body = body
    self.run = run
    self.frame = frame
    self.activation = activation
    super.init(in: runtime, activation)
  }

  deinit {
    activation.pointee.forget()
    activation.deinitialize(count: 1)
    free(activation)
  }

  private static func allocate() -> UnsafeMutablePointer<ActiveCall> {
    guard let memory = malloc(MemoryLayout<ActiveCall>.size) else {
      preconditionFailure("out of memory")
    }
    return memory.bindMemory(to: ActiveCall.self, capacity: 1)
  }

  override var name: String { body.name }

  override func begin(_ coroutine: LuaCoroutine) -> Int32 {
    body.override.countCall()
    runtime.pushesForAsync = true
    body.push(frame, coroutine, activation)
    runtime.pushesForAsync = false
    return body.reference
  }

  override func conclude(_ coroutine: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {
    guard let coroutine else {
      fault = .noMemory(body.name)
      return
    }
    defer { body.invalidateReceiver(coroutine) }
    do throws(LuaFailure) {
      let count = try result.get()
      if activation.pointee.isEnding { throw .nested }
      try body.finish(frame, coroutine, count, activation)
      if body.plan.ownsArguments { body.consumeArguments(frame) }
      isHandled = true
    } catch  where activation.pointee.isEnding {
      isHandled = body.recover(fromNesting: error, frame, coroutine, activation, &fault) {
        body.cancel(run)
      }
    } catch {
      isHandled = body.recover(from: error, frame, coroutine, activation, &fault)
    }
    if body.override.isOnce { runtime.overrides.settle(body.override) }
  }

  override func conclude(abandoned wait: Wait?) {
    wait?.settle()
    if let outcome = (wait as? CompiledWait)?.takeOutcome() {
      activation.pointee.settle(outcome, body.plan)
    }
    isHandled = body.endWithoutLua(frame, activation)
  }

  /// After its end, with the state left.
  func report() {
    if let fault { body.override.fail(fault) }
    if isHandled, body.plan.mayKeepReceiver, !activation.pointee.originalRan,
      !activation.pointee.isEnding
    {
      body.override.noteKeptReceiver()
    }
  }
}

extension OverrideInvoker {
  /// The steps of a call in an override of an async function: see `AsyncHandler`.
  func step(_ run: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    if run.pointee.handlerState == nil {
      if declinesNested(run) { return nil }
      if let reason = Override.Bypass.ofStack {
        override.bypass(reason)
        run.pointee.isDeclined = true
        return nil
      }
      if let wait = arrive(run) { return wait }
    }
    return proceed(run)
  }

  /// Takes over what C has begun: see `wax_call_override.adopt`.
  func adopt(
    _ run: UnsafeMutablePointer<AsyncCall>, _ coroutine: LuaCoroutine,
    _ activation: UnsafeMutablePointer<ActiveCall>, _ status: Int32,
    _ waits: UnsafeMutablePointer<wax_lua_callback>?,
    _ outer: UnsafeMutablePointer<wax_call_record>?
  ) -> UnsafePointer<Suspension>? {
    guard let frame = run.pointee.callFrame, let runtime = PatchContext.context(of: state) else {
      preconditionFailure("a call has no frame, or its state no script")
    }
    let activity = OverrideActivity(adopting: activation, self, run, frame, in: runtime)
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
    run.pointee.handlerState = Unmanaged.passRetained(activity).toOpaque()
    return proceed(run)
  }

  private func proceed(
    _ run: UnsafeMutablePointer<AsyncCall>
  ) -> UnsafePointer<Suspension>? {
    guard let state = run.pointee.handlerState else { return nil }
    let activity = Unmanaged<OverrideActivity>.fromOpaque(state)
    if case .waits(let wait) = activity._withUnsafeGuaranteedRef({ $0.turn() }) { return wait }
    run.pointee.handlerRecord = nil
    run.pointee.isDeclined = !activity._withUnsafeGuaranteedRef { $0.isHandled }
    activity._withUnsafeGuaranteedRef { $0.report() }
    activity.release()
    return nil
  }

  /// - Returns: What is to be waited for before the first turn.
  private func arrive(_ run: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    guard let frame = run.pointee.callFrame, let runtime = PatchContext.context(of: state) else {
      return nil
    }
    plan.resultAddress?.receiveResultAddress(frame)
    run.pointee.handlerState = Unmanaged.passRetained(
      OverrideActivity(self, run, frame, in: runtime)
    )
    .toOpaque()
    guard let home = plan.home(frame) else { return nil }
    run.pointee.setHome(home.raw)
    return home.isCurrent ? nil : run.hop(to: home.raw)
  }
}

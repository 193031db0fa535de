// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingLua
internal import WaxwingMetadata
internal import WaxwingPlans

/// A call of a Lua function by Swift, as an async closure. It runs where it is called.
/// Unchecked: as `Activity`.
final class ClosureActivity: Activity, @unchecked Sendable {
  private unowned let closure: LuaClosure
  private let frame: UnsafeMutablePointer<wax_runtime_frame>
  private(set) var failure: LuaFailure?
  private(set) var hasEnded = false

  init(
    _ closure: LuaClosure, _ frame: UnsafeMutablePointer<wax_runtime_frame>,
    in runtime: PatchContext
  ) {
    self.closure = closure
    self.frame = frame
    super.init(in: runtime, nil)
  }

  override var name: String {
    "a closure of \(closure.origin.source):\(closure.origin.line ?? 0)"
  }

  override func begin(_ lane: LuaCoroutine) -> Int32 {
    runtime.pushesForAsync = true
    closure.pushArguments(frame, lane.writer)
    runtime.pushesForAsync = false
    return closure.reference
  }

  override func conclude(_ lane: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {
    guard let lane else {
      failure = .noMemory
      return
    }
    do throws(LuaFailure) {
      try closure.finish(frame, lane, try result.get())
    } catch {
      failure = error
    }
  }

  override func conclude(abandoned wait: Wait?) { hasEnded = true }
}

extension LuaClosure {
  /// The steps of one call: see `wax_runtime_async_handler`.
  func step(_ run: UnsafeMutablePointer<wax_runtime_async_call>) -> UnsafePointer<
    wax_runtime_suspension
  >? {
    guard let frame = run.pointee.frame else { return nil }
    if run.pointee.state == nil { begin(run, frame) }
    if let state = run.pointee.state {
      let activity = Unmanaged<ClosureActivity>.fromOpaque(state)
      if case .waits(let wait) = activity._withUnsafeGuaranteedRef({ $0.turn() }) { return wait }
      end(activity.takeRetainedValue(), frame)
    } else {
      answerAfterEnd(frame)
    }
    if plan.ownsArguments { consumeArguments(frame) }
    return nil
  }

  private func begin(
    _ run: UnsafeMutablePointer<wax_runtime_async_call>,
    _ frame: UnsafeMutablePointer<wax_runtime_frame>
  ) {
    plan.resultAddress?.receiveResultAddress(frame)
    run.pointee.activity.has_home = true
    run.pointee.activity.home = ExecutorReference.current.raw
    guard let runtime = functions?.runtime else { return }
    run.pointee.state =
      Unmanaged.passRetained(ClosureActivity(self, frame, in: runtime)).toOpaque()
  }

  private func end(_ activity: ClosureActivity, _ frame: UnsafeMutablePointer<wax_runtime_frame>) {
    if activity.hasEnded {
      answerAfterEnd(frame)
    } else if let failure = activity.failure {
      fail(failure, frame)
    }
  }
}

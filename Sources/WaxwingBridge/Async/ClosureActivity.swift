// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// A call of a Lua function by Swift, as an async closure. It runs where it is called.
/// Unchecked: as `Activity`.
final class ClosureActivity: Activity, @unchecked Sendable {
  private unowned let closure: LuaClosure
  private let frame: FramePointer
  private(set) var failure: LuaFailure?
  private(set) var hasEnded = false

  init(
    _ closure: LuaClosure, _ frame: FramePointer,
    in patch: PatchContext
  ) {
    self.closure = closure
    self.frame = frame
    super.init(in: patch, nil)
  }

  override var name: String {
    "a closure of \(closure.origin.source):\(closure.origin.line ?? 0)"
  }

  override func begin(_ coroutine: LuaCoroutine) -> Int32 {
    patch.pushesForAsync = true
    closure.pushArguments(frame, coroutine.writer)
    patch.pushesForAsync = false
    return closure.reference
  }

  override func conclude(_ coroutine: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {
    guard let coroutine else {
      failure = .noMemory
      return
    }
    do throws(LuaFailure) {
      try closure.finish(frame, coroutine, try result.get())
    } catch {
      failure = error
    }
  }

  override func conclude(abandoned wait: Wait?) { hasEnded = true }
}

extension LuaClosure {
  /// The steps of one call: see `AsyncHandler`.
  func step(_ asyncCall: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    guard let frame = asyncCall.pointee.callFrame else { return nil }
    if asyncCall.pointee.handlerState == nil { begin(asyncCall, frame) }
    if let state = asyncCall.pointee.handlerState {
      let activity = Unmanaged<ClosureActivity>.fromOpaque(state)
      if case .waits(let suspension) = activity._withUnsafeGuaranteedRef({ $0.turn() }) {
        return suspension
      }
      end(activity.takeRetainedValue(), frame)
    } else {
      answerAfterEnd(frame)
    }
    if plan.ownsArguments { consumeArguments(frame) }
    return nil
  }

  private func begin(
    _ asyncCall: UnsafeMutablePointer<AsyncCall>,
    _ frame: FramePointer
  ) {
    plan.resultAddress?.receiveResultAddress(frame)
    asyncCall.pointee.setHome(ExecutorReference.current.raw)
    guard let patch = functions?.patch else { return }
    asyncCall.pointee.handlerState =
      Unmanaged.passRetained(ClosureActivity(self, frame, in: patch)).toOpaque()
  }

  private func end(_ activity: ClosureActivity, _ frame: FramePointer) {
    if activity.hasEnded {
      answerAfterEnd(frame)
    } else if let failure = activity.failure {
      fail(failure, frame)
    }
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingInterception
package import WaxwingLua
package import WaxwingValues

/// An activity that Swift code waits for: the function of a task, or of a child of one.
/// Unchecked: as `Activity`.
package class DrivenActivity: Activity, @unchecked Sendable {
  /// The memory with which the activity is driven. The call is the first field.
  private struct Memory {
    var call: ResumableCall
    var hop: Suspension
    var owner: Unmanaged<DrivenActivity>?
    var isAtHome: Bool
  }

  private let memory: UnsafeMutablePointer<Memory>
  /// The wait for a turn of the script's tasks.
  private var turnWait: TurnWait?
  /// The time since when the activity has waited because the tasks' time was used up.
  private var waitsSince: ContinuousClock.Instant?
  private let function: Int32
  private let place: LuaFrame?

  /// - Parameters:
  ///   - function: The Lua function's reference, which this gives back.
  ///   - place: Where the script makes it.
  ///   - home: Where it runs.
  package init(
    _ function: Int32, at place: LuaFrame?, on home: ExecutorReference, in patch: PatchContext,
    _ active: UnsafeMutablePointer<ActiveCall>?
  ) {
    self.function = function
    self.place = place
    memory = .allocate(capacity: 1)
    let call = ResumableCall(home: home.raw) { call in
      guard let call else { return nil }
      let memory = UnsafeMutableRawPointer(call).assumingMemoryBound(to: Memory.self)
      return memory.pointee.owner?._withUnsafeGuaranteedRef { $0.step() }
    }
    memory.initialize(
      to: Memory(call: call, hop: .hop(to: home), owner: nil, isAtHome: false))
    super.init(in: patch, active)
    memory.pointee.owner = .passUnretained(self)
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  override var name: String {
    place.map { "a task of \($0.source):\($0.line ?? 0)" } ?? "a task"
  }

  /// Drives the activity until its function or its script has ended.
  package func run() async {
    await memory.pointer(to: \.call).unsafelyUnwrapped.drive()
  }

  private func step() -> UnsafePointer<Suspension>? {
    if !memory.pointee.isAtHome {
      memory.pointee.isAtHome = true
      return UnsafePointer(memory.pointer(to: \.hop).unsafelyUnwrapped)
    }
    let admission = patch.tasks.share.enter()
    if admission != .enters {
      if isImpatient(admission) {
        cancel()
        return nil
      }
      let wait = TurnWait(patch.tasks.share, admission)
      turnWait = wait
      return wait.next()
    }
    (turnWait, waitsSince) = (nil, nil)
    let began = ContinuousClock.now
    let turn = turn()
    patch.tasks.share.leave(after: .now - began)
    guard case .waits(let suspension) = turn else { return nil }
    return suspension
  }

  private func isImpatient(_ admission: TaskShare.Admission) -> Bool {
    guard case .waitsUntil = admission else { return false }
    let now = ContinuousClock.now
    guard let since = waitsSince else {
      waitsSince = now
      return false
    }
    return now - since > patch.tasks.share.limits.patience
  }

  private func cancel() {
    let limits = patch.tasks.share.limits
    drop {
      wax_lua_unreference(patch.state.handle, function)
      patch.tasks.countCancelled()
      patch.reportTask(
        "the patch's tasks use more than \(limits.milliseconds) ms of each second "
          + "(`limits.task-milliseconds`), and this one has waited for its turn for "
          + "\(limits.patience.components.seconds) s: it was cancelled", [], position: place)
      ended(true)
    }
  }

  override func begin(_ coroutine: LuaCoroutine) -> Int32 { function }

  override func conclude(_ coroutine: LuaCoroutine?, _ result: Result<Int, LuaFailure>) {
    wax_lua_unreference(patch.state.handle, function)
    switch result {
    case .success:
      var reader = coroutine?.reader
      let first = reader?.read() ?? wax_lua_value()
      ended(first.tag == WAX_LUA_VALUE_BOOLEAN.rawValue && first.integer != 0)
    case .failure(let failure): failed(failure)
    }
  }

  /// - Parameter answer: The result of the function, if that is a boolean.
  func ended(_ answer: Bool) {}

  /// Functions that are made for this catch their errors: there was no memory, or the like.
  func failed(_ failure: LuaFailure) {
    patch.reportTask(failure.message, failure.frames, position: failure.position ?? place)
  }
}

extension PatchContext {
  /// Reports the failure of a task for which no other code waits.
  package func reportTask(_ message: String, _ frames: [LuaFrame], position: LuaFrame?) {
    tasks.countFailed()
    let fault = OverrideFault(
      function: "a task", message: message, frames: frames, position: position)
    state.suspended { options.host.taskFailed(fault) }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingCore
import WaxwingInterception
import WaxwingLua
import WaxwingOperations
import WaxwingScripting

/// The watchdog's view of a session: which of its calls last too long.
struct WatchedPatch: Sendable {
  /// A new observation.
  enum Observation: Sendable {
    case stuck(StuckCall)
    case returned(StuckCall)
    /// A thread stays in the patch's Lua code, so that no call can go there any more.
    case occupied(thread: UInt64, seconds: Duration, function: String?)
  }

  let number: Int
  let name: String
  private let gate: SessionSwitch
  private let runtime: ScriptRuntime
  private let registry: OverrideRegistry
  /// The patch's own limit; nil if the host sets none.
  private let ownLimit: Duration?
  private var states: [StateWatch]
  private var isOccupied = false
  private(set) var stuck: [StuckCall.Identity: StuckCall] = [:]

  init(_ session: PatchSession) {
    number = session.number
    name = session.name
    gate = session.gate
    runtime = session.runtime
    registry = session.registry
    ownLimit = Self.ownLimit(of: session.runtime.options)
    states = Array(repeating: StateWatch(), count: session.runtime.all.count)
  }

  var overrides: [Override] { registry.overrides(of: number) }

  /// Five times what a call may spend in Lua. Not less than a second, for what Swift does on behalf of
  /// Lua code without leaving the state is not counted there.
  private static func ownLimit(of options: ScriptOptions) -> Duration? {
    let call = options.callLimits
    guard (call.milliseconds ?? 0) > 0 || (call.instructions ?? 0) > 0 else { return nil }
    let most = max(call.milliseconds ?? 0, options.loadLimits.milliseconds ?? 0)
    return max(.milliseconds(5 * min(most, 1_000_000)), .seconds(1))
  }

  /// The largest number of new calls that one look examines; the others follow at the next look.
  private static let mostNew = 10

  /// Looks at all its calls.
  mutating func look(_ patience: Duration, _ stopTimes: StopTimes) -> [Observation] {
    let calls = calls
    let now = Set(calls.map(\.identity))
    let returned = stuck.values.filter { !now.contains($0.identity) }
    for call in returned { stuck[call.identity] = nil }
    var observations = returned.map(Observation.returned)
    let late = calls.filter {
      stuck[$0.identity] == nil && $0.began.age > patience
        && $0.began.age - stopTimes.time(of: $0.thread, inLast: $0.began.age) > patience
    }
    var asks = true
    for var call in late.sorted(by: { $0.began.age > $1.began.age }).prefix(Self.mostNew) {
      call.stack = stack(of: call.thread, &asks)
      stuck[call.identity] = call
      observations.append(.stuck(call))
    }
    if let occupied = findOccupant(calls, patience) { observations.append(occupied) }
    return observations
  }

  /// The calls of threads that are in the patch too long. An async call that waits belongs to no
  /// thread and is left out.
  private var calls: [StuckCall] {
    let overrides = gate.callsSeenInFlight().compactMap { call -> StuckCall? in
      guard call.thread != 0, let since = call.since else { return nil }
      return unsafe StuckCall(
        identity: .override(call.identity), function: registry.function(at: call.entry) ?? "?",
        thread: call.thread, began: since)
    }
    let functions = runtime.all.enumerated().flatMap { index, script in
      script.functions.calls.map { call in
        StuckCall(
          identity: .function(state: index, call.number), function: call.name,
          thread: call.thread, began: call.began)
      }
    }
    return overrides + functions
  }

  private mutating func findOccupant(_ calls: [StuckCall], _ patience: Duration) -> Observation? {
    guard !isOccupied, let ownLimit else { return nil }
    let limits = StateWatch.Limits(own: ownLimit, real: patience)
    for (index, script) in runtime.all.enumerated() {
      guard let found = states[index].look(at: script.state, limits) else { continue }
      isOccupied = true
      script.state.giveUp()
      for each in runtime.all { each.functions.end() }
      let call = calls.first { $0.thread == found.thread }
      return .occupied(thread: found.thread, seconds: found.seconds, function: call?.function)
    }
    return nil
  }

  /// - Parameter asks: Whether to wait for the Lua state; false from then on if it cannot be had.
  private func stack(of thread: UInt64, _ asks: inout Bool) -> [String] {
    let inside = runtime.all.compactMap { $0.state.presence?.thread }
    if inside.contains(thread) { return ["it is running Lua code of \(name)"] }
    if asks {
      let frames = runtime.traceback(ofThread: thread, waitAtMost: 50)
      if let frames, !frames.isEmpty { return frames.map(\.description) }
      asks = frames != nil
    }
    guard let other = inside.first else { return [] }
    return ["it waits, or waited, for thread \(other), which is in the Lua code of \(name)"]
  }
}

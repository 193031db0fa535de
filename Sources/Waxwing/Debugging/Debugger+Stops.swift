// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingLua
import WaxwingScripting
import WaxwingSystem

/// Stops calls at lines with breakpoints. Runs on the calls' threads.
extension Debugger: ScriptDebuggerClient {
  /// Calls of one patch that have stopped, at most: others go on.
  private static let mostStops = 64

  /// Tasks run on as many threads as there are processors. All but one may be kept waiting.
  private static let mostInTasks = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

  func stops(_ stop: inout ScriptStop, in debugger: ScriptDebugger) -> Bool {
    let thread = stop.thread
    // Others wait for the engine's threads and for operations, with limits of their own.
    guard !engine.isAwaited(thread), !ThreadName.of(thread).hasPrefix("waxwing-"),
      let session = number(of: debugger), isMeant(stop, session, debugger)
    else { return false }
    // The main thread is nobody's but the main actor's.
    let isInTask = unsafe thread != UInt64(getpid()) && withUnsafeCurrentTask { unsafe $0 != nil }
    let text = stop.reason == .fault ? describeFault(stop, debugger) : ""
    return take(&stop, session, debugger, text, isInTask: isInTask)
  }

  private func number(of debugger: ScriptDebugger) -> Int? {
    state.withLock { state in
      state.sessions.first { $0.value.debuggers.contains { $0 === debugger } }?.key
    }
  }

  private func describeFault(_ stop: ScriptStop, _ debugger: ScriptDebugger) -> String {
    let text = try? debugger.ask(.error, stop.number) { try $0.text("text") }
    return text ?? "an error that has no text"
  }

  /// Whether a breakpoint's condition holds, it has been hit often enough, and it says nothing instead.
  private func isMeant(_ stop: ScriptStop, _ session: Int, _ debugger: ScriptDebugger) -> Bool {
    guard case .breakpoint(let number) = stop.reason else { return true }
    let found = state.withLock { $0.sessions[session]?.breakpoints[number] }
    guard let breakpoint = found?.request, holds(breakpoint, stop, session, debugger) else {
      return false
    }
    let hits = state.withLock { state -> Int in
      state.sessions[session]?.breakpoints[number]?.hits += 1
      return state.sessions[session]?.breakpoints[number]?.hits ?? 0
    }
    guard hits >= breakpoint.hits ?? 0 else { return false }
    guard let message = breakpoint.message else { return true }
    do throws(LuaFailure) {
      let text = try debugger.ask(.fill, stop.number, [.integer(0), .text(message)]) {
        try $0.text("text")
      }
      output(text, stop, session)
    } catch {
      outputOnce("the message cannot be made: \(error.message)", stop, number, session)
    }
    return false
  }

  private func holds(
    _ breakpoint: DebugBreakpoint, _ stop: ScriptStop, _ session: Int, _ debugger: ScriptDebugger
  ) -> Bool {
    guard let condition = breakpoint.condition else { return true }
    do throws(LuaFailure) {
      return try debugger.ask(.test, stop.number, [.integer(0), .text(condition)]) {
        try $0.boolean("holds")
      }
    } catch {
      outputOnce(
        "the condition `\(condition)` has failed, and no call stops for it: \(error.message)", stop,
        breakpoint.number, session)
      return false
    }
  }

  private func outputOnce(_ text: String, _ stop: ScriptStop, _ breakpoint: Int, _ session: Int) {
    let isFirst = state.withLock { state -> Bool in
      defer { state.sessions[session]?.breakpoints[breakpoint]?.hasFailed = true }
      return state.sessions[session]?.breakpoints[breakpoint]?.hasFailed == false
    }
    if isFirst { output(text, stop, session) }
  }

  private func output(_ text: String, _ stop: ScriptStop, _ session: Int) {
    var event = DebugEvent(.output, stop)
    event.text = text
    state.withLock { $0.sessions[session]?.add(event) }
  }

  private func take(
    _ stop: inout ScriptStop, _ number: Int, _ debugger: ScriptDebugger, _ text: String,
    isInTask: Bool
  ) -> Bool {
    let wanted = stop
    let call = state.withLock { state -> UInt64? in
      let stops = state.sessions.values.flatMap(\.stops.values)
      guard let session = state.sessions[number], session.stops.count < Self.mostStops,
        !isInTask || stops.count(where: \.isInTask) < Self.mostInTasks,
        let index = session.debuggers.firstIndex(where: { $0 === debugger })
      else { return nil }
      if wanted.call == 0 { state.lastCall += 1 }
      var event = DebugEvent(.stopped, wanted)
      event.call = wanted.call == 0 ? state.lastCall : wanted.call
      event.text = text
      state.sessions[number]?.add(event)
      state.sessions[number]?.stops[wanted.number] = DebugSession.Stop(
        event: event, script: session.scripts[index], debugger: debugger, isInTask: isInTask)
      return event.call
    }
    guard let call else { return false }
    stop.call = call
    return true
  }

  func wait(atStop number: UInt64) -> ScriptStep {
    let found = state.withLock { state in
      state.session(ofStop: number).flatMap { state.sessions[$0] }
    }
    guard let session = found, let stop = session.stops[number] else { return .goOn }
    times.begin(stop.event.thread)
    let step = state.wait(until: .after(seconds: session.limit)) { state -> ScriptStep? in
      guard let stop = state.sessions[session.number]?.stops[number] else { return .goOn }
      return stop.step
    }
    times.end(stop.event.thread)
    state.withLock { state in
      guard let stop = state.sessions[session.number]?.stops.removeValue(forKey: number),
        step == nil
      else { return }
      var event = stop.event
      event.kind = .continued
      event.text = "the call has waited for \(session.limit) s, which is the limit, and goes on"
      state.sessions[session.number]?.add(event)
    }
    stop.script.forget(number, stop.debugger)
    return step ?? .goOn
  }
}

extension ScriptRuntime {
  /// Releases the values of a call that goes on which a debugger has seen.
  fileprivate func forget(_ stop: UInt64, _ debugger: ScriptDebugger) {
    _ = enteredByDebugger(milliseconds: 1000) { try? debugger.ask(.forget, stop) { _ in } }
  }
}

extension DebugEvent {
  fileprivate init(_ kind: Kind, _ stop: ScriptStop) {
    self.init(kind)
    self.stop = stop.number
    call = stop.call
    thread = stop.thread
    (file, line) = (stop.file, stop.line)
    switch stop.reason {
    case .breakpoint(let number): (reason, breakpoint) = (.breakpoint, number)
    case .step: reason = .step
    case .pause: reason = .pause
    case .fault: reason = .fault
    }
  }
}

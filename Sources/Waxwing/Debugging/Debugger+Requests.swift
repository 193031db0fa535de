// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingDeclarations
import WaxwingLua
import WaxwingOperations
import WaxwingPatches
import WaxwingScripting
import WaxwingSystem

/// Answers requests of debugger clients. On threads of the control socket.
extension Debugger {
  /// Milliseconds that a request waits for calls to leave a patch's Lua state.
  private static let patience: UInt32 = 2000

  /// Seconds that a client has to ask for something.
  private static let longestSilence = 60.0

  /// - Throws: `WaxwingError` if it cannot be answered.
  func answer(_ request: DebugRequest, _ peer: ControlPeer) throws -> DebugReply {
    if request.action == .attach { return try attach(request, peer) }
    let number = request.session ?? 0
    guard state.withLock({ $0.begin(number) }) else { throw ended(number) }
    defer { state.withLock { $0.finish(number) } }
    var reply = DebugReply()
    switch request.action {
    case .attach: break
    case .detach: end(number, "the debugger has detached", by: AuditRecord.Actor(peer))
    case .breakpoints:
      try set(request.breakpoints ?? [], request.stopsAtFaults ?? false, number)
    case .events: reply.events = state.withLock { $0.sessions[number]?.takeEvents() } ?? []
    case .pause:
      try inScripts(of: number) { debugger throws(LuaFailure) in debugger.pause() }
    case .resume: try resume(request.stop ?? 0, request.step ?? .goOn, number)
    case .source: reply.text = try source(request.file ?? "", number)
    case .frames:
      reply.frames = try ask(.frames, request, number) { try $0.tables("frames", DebugFrame.init) }
    case .scopes:
      reply.handles = try ask(.scopes, request, number, [.integer(request.level ?? 0)]) {
        try $0.integers("handles")
      }
    case .variables:
      let range = (first: max(1, request.first ?? 1), most: max(0, request.most ?? 500))
      reply.variables = try askForVariables(
        .variables, request, number,
        [
          .integer(request.handle ?? 0), .integer(range.first), .integer(range.most),
          .boolean(engine.policy.changingFields == .hidden),
        ])
    case .evaluate:
      reply.variables = try askForVariables(
        .evaluate, request, number, [.integer(request.level ?? 0), .text(request.text ?? "")])
    }
    return reply
  }

  private func ended(_ number: Int) -> WaxwingError {
    let reason = state.withLock { $0.ended.last { $0.number == number }?.reason }
    return WaxwingError(
      .notFound, reason ?? "there is no debugger with the number \(number)",
      remedy: "attach again")
  }

  // MARK: Attaching

  private func attach(_ request: DebugRequest, _ peer: ControlPeer) throws -> DebugReply {
    let most = Double(engine.policy.limits.debugSeconds)
    guard most > 0 else {
      throw WaxwingError(
        .refused, "the rules of this program allow no debuggers: `limits.debug-seconds` is 0",
        remedy: "the program's policy, or the operator's file, has to allow them")
    }
    do throws(ThreadError) { try timers.start() } catch {
      throw WaxwingError(.unavailable, error.message, remedy: error.remedy)
    }
    let limit = min(max(request.limit ?? 30, 1), most)
    let patience = min(max(request.patience ?? 15, 1), Self.longestSilence)
    let session = try engine.operation("attaching a debugger") {
      try begin(request.patch ?? "", peer, limit: limit, patience: patience)
    }
    watch(session.number, patience: patience)
    var reply = DebugReply()
    reply.session = session.number
    reply.files = session.files.keys.sorted()
    reply.limit = limit
    return reply
  }

  private func begin(
    _ name: String, _ peer: ControlPeer, limit: Double, patience: Double
  ) throws -> DebugSession {
    guard let patch = engine.sessions.live(named: name) else {
      let names = engine.sessions.live.map(\.name)
      let near = NearestNames.question(for: name, in: names).map { "\($0) " } ?? ""
      throw WaxwingError(
        .notFound, "no live patch is named `\(name)`",
        remedy: names.isEmpty
          ? "apply it first" : "\(near)live are \(names.map { "`\($0)`" }.joined(separator: ", "))")
    }
    let isTaken = state.withLock { state in
      state.sessions.values.contains { $0.session.number == patch.number }
    }
    if isTaken {
      throw WaxwingError(
        .conflict, "a debugger is attached to \(name)",
        remedy: "end it, or wait until the daemon has seen that it is gone")
    }
    let audited = AuditRecord.Patch(patch)
    try audit.demand(
      AuditRecord(
        "debug.attach", "done", by: AuditRecord.Actor(peer), patches: [audited],
        generation: engine.sessions.generation))
    let scripts = patch.runtime.all
    let debuggers = try scripts.map { script in
      try entering(script) { () throws(LuaFailure) in try script.attachDebugger(self) }
    }
    return state.withLock { state in
      state.lastSession += 1
      let session = DebugSession(
        number: state.lastSession, session: patch.handle, patch: audited,
        files: Dictionary(
          patch.source.files.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first }),
        scripts: scripts, debuggers: debuggers, peer: peer, limit: limit, patience: patience)
      state.sessions[session.number] = session
      return session
    }
  }

  // MARK: In the scripts

  /// Runs `body` with a script's state entered.
  private func entering<Result>(
    _ script: ScriptRuntime, _ body: () throws(LuaFailure) -> Result
  ) throws -> Result {
    let entry = script.enteredByDebugger(milliseconds: Self.patience) {
      do throws(LuaFailure) { return Swift.Result<Result, LuaFailure>.success(try body()) } catch {
        return .failure(error)
      }
    }
    switch entry {
    case .done(.success(let result)): return result
    case .done(.failure(let failure)): throw WaxwingError(.refused, failure.message)
    case .busy:
      throw WaxwingError(
        .conflict, "a call runs the patch's Lua code all the time", remedy: "try again")
    case .ended: throw WaxwingError(.notFound, "the patch has ended", remedy: "attach again")
    }
  }

  private func inScripts(
    of number: Int, _ body: (ScriptDebugger) throws(LuaFailure) -> Void
  ) throws {
    guard let session = state.withLock({ $0.sessions[number] }) else { throw ended(number) }
    for (script, debugger) in zip(session.scripts, session.debuggers) {
      try entering(script) { () throws(LuaFailure) in try body(debugger) }
    }
  }

  /// Breakpoints of one debugger, at most.
  private static let mostBreakpoints = 1000

  private func set(
    _ breakpoints: [DebugBreakpoint], _ stopsAtFaults: Bool, _ number: Int
  ) throws {
    guard breakpoints.count <= Self.mostBreakpoints else {
      throw WaxwingError(
        .refused, "there are more than \(Self.mostBreakpoints) breakpoints",
        remedy: "remove some")
    }
    state.withLock { state in
      guard let before = state.sessions[number]?.breakpoints else { return }
      let known = breakpoints.map { request in
        // One that has not changed goes on counting.
        let old = before[request.number].flatMap { $0.request == request ? $0 : nil }
        return (request.number, old ?? DebugSession.Breakpoint(request: request))
      }
      state.sessions[number]?.breakpoints = Dictionary(known) { first, _ in first }
    }
    let raw = breakpoints.map {
      ScriptBreakpoint(number: $0.number, file: $0.file, line: $0.line)
    }
    try inScripts(of: number) { debugger throws(LuaFailure) in
      try debugger.set(raw, stopsAtFaults: stopsAtFaults)
    }
  }

  private func resume(_ stop: UInt64, _ step: DebugStep, _ number: Int) throws {
    let isThere = state.withLock { state -> Bool in
      guard state.sessions[number]?.stops[stop]?.step == nil else { return false }
      state.sessions[number]?.stops[stop]?.step = ScriptStep(step)
      return state.sessions[number]?.stops[stop] != nil
    }
    if !isThere { throw Self.goneOn }
  }

  private static let goneOn = WaxwingError(
    .notFound, "the call has gone on", remedy: "stop it again")

  private func source(_ file: String, _ number: Int) throws -> String {
    guard let bytes = state.withLock({ $0.sessions[number]?.files[file] }) else {
      throw WaxwingError(.notFound, "the patch has no file `\(file)`")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func askForVariables(
    _ what: ScriptDebugger.Request, _ request: DebugRequest, _ session: Int,
    _ arguments: [ScriptArgument]
  ) throws -> [DebugVariable] {
    try ask(what, request, session, arguments) {
      try $0.tables("variables", DebugVariable.init)
    }
  }

  private func ask<Answer>(
    _ what: ScriptDebugger.Request, _ request: DebugRequest, _ session: Int,
    _ arguments: [ScriptArgument] = [],
    _ read: (ScriptTable) throws -> Answer
  ) throws -> Answer {
    let number = request.stop ?? 0
    let stop = state.withLock { $0.sessions[session]?.stops[number] }
    guard let stop else { throw Self.goneOn }
    return try entering(stop.script) { () throws(LuaFailure) in
      try stop.debugger.ask(what, number, arguments, read)
    }
  }
}

extension Debugger.State {
  /// A request begins. False: there is no such session.
  fileprivate mutating func begin(_ number: Int) -> Bool {
    sessions[number]?.asked = .now
    sessions[number]?.requests += 1
    return sessions[number] != nil
  }

  fileprivate mutating func finish(_ number: Int) {
    sessions[number]?.asked = .now
    sessions[number]?.requests -= 1
  }
}

extension ScriptStep {
  fileprivate init(_ step: DebugStep) {
    switch step {
    case .goOn: self = .goOn
    case .into: self = .into
    case .over: self = .over
    case .out: self = .out
    }
  }
}

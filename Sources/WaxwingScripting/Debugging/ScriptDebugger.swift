// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import Synchronization
internal import WaxwingBridge
package import WaxwingLua
internal import WaxwingValues

/// A debugger's side of one Lua state: breakpoints, and the values of calls that have stopped. It
/// is made when a debugger attaches for the first time, and lives as long as the script.
///
/// Unchecked: the state's lock guards what changes.
package final class ScriptDebugger: @unchecked Sendable {
  /// The requests to lua/tools/debug.lua about a call that has stopped.
  package enum Request: String, Sendable {
    /// Where the call is.
    case frames
    /// (level): what can be seen there.
    case scopes
    /// (handle, first, most, whether changing values are hidden): the parts of a value.
    case variables
    /// (level, text): the value of an expression.
    case evaluate
    /// (level, text): whether an expression is true.
    case test
    /// (level, text): the text, in which expressions in braces are replaced by their values.
    case fill
    /// The text of the error that leaves the script's code.
    case error
    /// Releases the values for the call, which goes on.
    case forget
  }

  private unowned let runtime: ScriptRuntime
  private let client: any ScriptDebuggerClient
  /// The registry reference of the Lua function that answers requests; 0 before it is loaded.
  private var responder: Int32 = 0

  private static let chunk = OwnChunk(LuaSources.debug)
  private static let numbers = Atomic<UInt64>(0)

  fileprivate init(_ runtime: ScriptRuntime, _ client: any ScriptDebuggerClient) {
    self.runtime = runtime
    self.client = client
  }

  fileprivate func attach() throws(LuaFailure) {
    if responder == 0 { try load() }
    let client = wax_lua_debug_client(
      context: Unmanaged.passUnretained(self).toOpaque(), stops: Self.stops, wait: Self.wait)
    if !wax_lua_debug_attach(runtime.state.handle, client) { throw .noMemory }
  }

  private func load() throws(LuaFailure) {
    guard wax_proxy_define_debug(runtime.state.handle, "waxwing.debug") else { throw .noMemory }
    let reference = try runtime.withCoroutine { coroutine throws(LuaFailure) in
      let reference = try Self.chunk.load(into: coroutine, name: "=" + WAX_LUA_PRELUDE)
      _ = try coroutine.call(reference)
      return reference
    }
    wax_lua_unreference(runtime.state.handle, reference)
    responder = try runtime.compile(
      Array("return _G['waxwing.debugger'](...)".utf8), "=" + WAX_LUA_PRELUDE, environment: nil)
  }

  /// Lets no call stop any more. Calls that have stopped must be released. Any thread, while the
  /// state is not closed.
  package func detach() { wax_lua_debug_detach(runtime.state.handle) }

  /// All breakpoints, in place of those before; the state is entered.
  package func set(_ breakpoints: [ScriptBreakpoint], stopsAtFaults: Bool) throws(LuaFailure) {
    let texts = breakpoints.map { strdup($0.file) }
    defer { for text in texts { free(text) } }
    let raw = zip(breakpoints, texts).map { breakpoint, text in
      wax_lua_breakpoint(
        source: text, line: Int32(clamping: breakpoint.line),
        number: UInt32(clamping: breakpoint.number))
    }
    guard !texts.contains(nil),
      wax_lua_debug_set(runtime.state.handle, raw, raw.count, stopsAtFaults)
    else { throw .noMemory }
  }

  /// The next line of any call stops it; the state is entered.
  package func pause() { wax_lua_debug_pause(runtime.state.handle) }

  /// Asks lua/tools/debug.lua about a call that has stopped; the state is entered. Code of the script's and
  /// the program's may run.
  /// - Parameter read: Reads the answer.
  package func ask<Answer>(
    _ request: Request, _ stop: UInt64, _ arguments: [ScriptArgument] = [],
    _ read: (ScriptTable) throws -> Answer
  ) throws(LuaFailure) -> Answer {
    wax_lua_debug_begin_quiet()
    defer { wax_lua_debug_end_quiet() }
    return try runtime.withCoroutine { coroutine throws(LuaFailure) in
      coroutine.writer.string(request.rawValue)
      coroutine.writer.integer(Int64(bitPattern: stop))
      for argument in arguments { argument.write(to: coroutine.writer) }
      _ = try coroutine.call(responder)
      var reader = coroutine.reader
      do { return try read(ScriptTable(&reader)) } catch {
        throw malformed(request, error)
      }
    }
  }

  /// lua/tools/debug.lua and what reads its answers do not agree.
  private func malformed(_ request: Request, _ error: any Error) -> LuaFailure {
    let message =
      "the debugger answers `\(request.rawValue)` with what cannot be read, a mistake of Waxwing's own: "
      + "\(error)"
    let host = runtime.options.host
    runtime.state.suspended {
      host.log(LogLine(level: .error, message: message, fields: [], position: nil))
    }
    return LuaFailure(
      kind: .fault, message: message, rawMessage: message, frames: [], swiftError: nil)
  }

  // MARK: What C calls

  private static let stops:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<wax_lua_stop>?) -> Bool = {
      context, raw in
      guard let context, let raw else { return false }
      return Unmanaged<ScriptDebugger>.fromOpaque(context)._withUnsafeGuaranteedRef { debugger in
        raw.pointee.number = numbers.add(1, ordering: .relaxed).newValue
        var stop = ScriptStop(raw.pointee)
        guard debugger.client.stops(&stop, in: debugger) else { return false }
        raw.pointee.call = stop.call
        return true
      }
    }

  private static let wait: @convention(c) (UnsafeMutableRawPointer?, UInt64) -> wax_lua_debug_step =
    { context, number in
      guard let context else { return WAX_LUA_DEBUG_CONTINUE }
      return Unmanaged<ScriptDebugger>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.client.wait(atStop: number).raw
      }
    }
}

extension ScriptRuntime {
  /// The outcome of entering the state for a debugger.
  package enum DebuggerEntry<Result> {
    case done(Result)
    /// Other calls did not leave the state in time.
    case busy
    /// The script has ended.
    case ended
  }

  /// Runs `body` with the state entered, which is not closed meanwhile.
  package func enteredByDebugger<Result>(
    milliseconds: UInt32, _ body: () -> Result
  ) -> DebuggerEntry<Result> {
    let result = functions.inCall(of: "waxwing debug") { state in
      state.enteredInTime(milliseconds: milliseconds) { _ in body() }
    }
    guard let result else { return .ended }
    return result.map(DebuggerEntry.done) ?? .busy
  }

  /// Lets calls of this script, not of its replicas, stop for a client, always the same; the state is
  /// entered. There is no breakpoint yet.
  package func attachDebugger(
    _ client: any ScriptDebuggerClient
  ) throws(LuaFailure) -> ScriptDebugger {
    let debugger = debugger ?? ScriptDebugger(self, client)
    self.debugger = debugger
    try debugger.attach()
    return debugger
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
package import WaxwingLua

/// Runs the pieces that a user types, in a script that has all of Lua's libraries.
package struct ScriptConsole: Sendable {
  private let runtime: ScriptRuntime

  package init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  /// The outcome of a piece of a script.
  package enum Evaluation {
    case done
    /// The text is the beginning of something: more has to follow.
    case incomplete
    case failed(LuaFailure)
  }

  /// Runs a piece, an expression or statements, and prints its results. SIGINT stops it.
  /// - Parameter name: The name of the piece in messages.
  package func evaluate(_ text: String, name: String) -> Evaluation {
    do throws(LuaFailure) {
      return try runtime.state.entered { () throws(LuaFailure) -> Evaluation in
        guard let chunk = try compile(text, name) else { return .incomplete }
        defer { release(chunk) }
        let show = try compile(shellFunction: "show")
        defer { release(show) }
        try runtime.withCoroutine { coroutine throws(LuaFailure) in
          wax_lua_begin_interruptible(coroutine.raw.pointee.L)
          defer { wax_lua_end_interruptible() }
          coroutine.writer.reference(chunk)
          _ = try coroutine.call(show)
        }
        return .done
      }
    } catch {
      return .failed(error)
    }
  }

  /// Evaluates a text inside a live program, where the script is one of several. Printed text is
  /// returned, and the script's limits hold. Overrides may be assigned. Can be called on any
  /// thread.
  /// - Returns: nil if the script has ended.
  package func evaluateAttached(
    _ text: String, name: String
  ) -> (evaluation: Evaluation, output: String)? {
    runtime.functions.inCall(of: "the shell") { state in
      state.entered {
        _ = try? call("begin")
        let evaluation = run(text, name)
        return (evaluation, (try? call("printed")) ?? "")
      }
    }
  }

  /// Stops the running piece in a live program, if there is one: at its next instruction, or when
  /// the Swift code that it calls has returned. Any thread.
  package func interruptAttached() {
    _ = runtime.functions.inCall(of: "the shell") { wax_lua_interrupt_piece($0.handle) }
  }

  private func run(_ text: String, _ name: String) -> Evaluation {
    do throws(LuaFailure) {
      guard let chunk = try compile(text, name) else { return .incomplete }
      defer { release(chunk) }
      _ = try call("show", chunk)
      return .done
    } catch {
      return .failed(error)
    }
  }

  /// - Returns: The text that it gives.
  private func call(_ function: String, _ chunk: Int32? = nil) throws(LuaFailure) -> String? {
    let function = try compile(shellFunction: function)
    defer { release(function) }
    return try runtime.withCoroutine { coroutine throws(LuaFailure) in
      if let chunk {
        coroutine.writer.reference(chunk)
        wax_lua_begin_piece(coroutine.raw)
      }
      defer { wax_lua_end_piece(coroutine.raw) }
      let count = try coroutine.call(function)
      var reader = coroutine.reader
      return count > 0 ? reader.displayString(reader.read()) : nil
    }
  }

  /// ``completions(of:)`` in a live program. Any thread.
  package func attachedCompletions(of text: String) -> [String] {
    runtime.functions.inCall(of: "the shell") { _ in completions(of: text) } ?? []
  }

  /// The words that one which was begun may be in a script: `url.host` of `url.h`.
  package func completions(of text: String) -> [String] {
    let found = try? runtime.state.entered { () throws(LuaFailure) -> [String] in
      let complete = try compile(shellFunction: "complete")
      defer { release(complete) }
      return try runtime.withCoroutine { coroutine throws(LuaFailure) in
        coroutine.writer.string(text)
        let count = try coroutine.call(complete)
        var reader = coroutine.reader
        return (0..<count).compactMap { _ in reader.displayString(reader.read()) }
      }
    }
    return found ?? []
  }

  /// The names of the script's globals, its own and those that every script has.
  package func globals() -> [String] {
    let names = try? runtime.state.entered { () throws(LuaFailure) in try call("globals") }
    return names.flatMap { $0 }?.split(separator: "\n").map(String.init) ?? []
  }

  /// Compiles a piece; nil if the text is incomplete. An expression is the second result: see
  /// `waxwing.show`.
  private func compile(_ piece: String, _ name: String) throws(LuaFailure) -> Int32? {
    let name = "=" + name
    if let chunk = try? runtime.compile(Array("return nil, \(piece)".utf8), name) { return chunk }
    do throws(LuaFailure) {
      return try runtime.compile(Array(piece.utf8), name)
    } catch {
      if error.message.hasSuffix("near <eof>") { return nil }
      throw error
    }
  }

  /// A chunk that calls a function of `lua/waxwing/shell.lua` with the chunk's arguments.
  private func compile(shellFunction name: String) throws(LuaFailure) -> Int32 {
    let text = "return _G['waxwing.\(name)'](...)"
    return try runtime.compile(Array(text.utf8), "=" + WAX_LUA_PRELUDE, environment: nil)
  }

  private func release(_ chunk: Int32) {
    wax_lua_unreference(runtime.state.handle, chunk)
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingDeclarations
import WaxwingToolKit

/// The adapter's side of the Debug Adapter Protocol: an editor's requests, a daemon's answers.
/// <https://microsoft.github.io/debug-adapter-protocol/specification>
final class DebugAdapter {
  /// The options of the command line, for settings that the editor does not give.
  struct Defaults {
    var program: String?
    var socket: String?
    var patch: String?
    var limit: Double?
    /// Seconds to wait for the daemon.
    var timeout: Double?
  }

  /// A call that the editor knows of, as a thread.
  struct Call {
    var stop: UInt64?
    let thread: UInt64
    /// The time at which the call was told to go on for a step.
    var stepped = ContinuousClock.now
  }

  let defaults: Defaults
  let send: ([String: Any]) -> Void
  var connection: DebugConnection?
  var sources = DebugSources(files: [], place: nil)
  var texts: [String: String] = [:]
  var breakpoints: [String: [DebugBreakpoint]] = [:]
  var lastBreakpoint = 0
  var stopsAtFaults = false
  var calls: [Int: Call] = [:]
  var references = DebugReferences()
  /// The number of a file's first line, as the editor counts.
  private(set) var firstLine = 1
  private var sequence = 0
  private(set) var isOver = false

  init(_ defaults: Defaults, send: @escaping ([String: Any]) -> Void) {
    self.defaults = defaults
    self.send = send
  }

  /// The thread that editors are shown for calls that have not stopped.
  static let running = 1

  // MARK: Messages

  func event(_ name: String, _ body: [String: Any] = [:]) {
    sequence += 1
    send(["seq": sequence, "type": "event", "event": name, "body": body])
  }

  func output(_ text: String, category: String = "console") {
    event("output", ["category": category, "output": text + "\n"])
  }

  private func respond(to request: [String: Any], _ rest: [String: Any]) {
    sequence += 1
    var message: [String: Any] = [
      "seq": sequence, "type": "response", "request_seq": request["seq"] as? Int ?? 0,
      "command": request["command"] as? String ?? "",
    ]
    message.merge(rest) { $1 }
    send(message)
  }

  /// Handles one message.
  func handle(_ bytes: [UInt8]) {
    guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
      let message = value as? [String: Any], let command = message["command"] as? String
    else { return output("a message was no request, and is left out", category: "stderr") }
    guard message["type"] as? String == "request" else { return }
    let arguments = message["arguments"] as? [String: Any] ?? [:]
    do throws(CommandError) {
      respond(to: message, ["success": true, "body": try answer(command, arguments)])
    } catch {
      respond(to: message, Self.failure(error))
    }
    after(command)
  }

  private static func failure(_ error: CommandError) -> [String: Any] {
    let details = error.details.map { "\n  \($0)" }.joined()
    let text = error.message + details + (error.remedy.isEmpty ? "" : "\n\(error.remedy)")
    return [
      "success": false, "message": error.message,
      "body": [
        "error": ["id": 1, "format": "{text}", "variables": ["text": text], "showUser": true]
      ],
    ]
  }

  /// Sends an editor the events that follow its answer.
  private func after(_ command: String) {
    switch command {
    case "attach" where connection != nil: event("initialized")
    case "disconnect": isOver = true
    default: break
    }
  }

  private func answer(
    _ command: String, _ arguments: [String: Any]
  ) throws(CommandError) -> [String: Any] {
    switch command {
    case "initialize":
      firstLine = arguments["linesStartAt1"] as? Bool == false ? 0 : 1
      return Self.capabilities
    case "attach": return try attach(arguments)
    case "launch":
      throw CommandError(
        .usage, "waxwing debug attaches to daemons that run, and starts none",
        remedy: #"use "request": "attach""#)
    case "disconnect":
      if connection != nil { _ = try? connection?.ask(.detach) }
      connection = nil
      return [:]
    case "configurationDone": return [:]
    default: return try answerAttached(command, arguments)
    }
  }

  private func answerAttached(
    _ command: String, _ arguments: [String: Any]
  ) throws(CommandError) -> [String: Any] {
    switch command {
    case "setBreakpoints": return try setBreakpoints(arguments)
    case "setExceptionBreakpoints": return try setExceptionBreakpoints(arguments)
    case "threads": return threads()
    case "stackTrace": return try stackTrace(arguments)
    case "scopes": return try scopes(arguments)
    case "variables": return try variables(arguments)
    case "evaluate": return try evaluate(arguments)
    case "source": return try source(arguments)
    case "continue": return try resume(arguments, .goOn)
    case "next": return try resume(arguments, .over)
    case "stepIn": return try resume(arguments, .into)
    case "stepOut": return try resume(arguments, .out)
    case "pause":
      _ = try attached().ask(.pause)
      return [:]
    default:
      throw CommandError(
        .usage, "waxwing debug does not know the request '\(command)'",
        remedy: "docs/debugging.md lists what it knows")
    }
  }

  private static var capabilities: [String: Any] {
    [
      "supportsConfigurationDoneRequest": true, "supportsConditionalBreakpoints": true,
      "supportsHitConditionalBreakpoints": true, "supportsLogPoints": true,
      "supportsEvaluateForHovers": true,
      "exceptionBreakpointFilters": [
        [
          "filter": "fault", "label": "Faults of overrides",
          "description": "errors that leave the patch's code, without those of throw",
          "default": true,
        ] as [String: Any]
      ],
    ]
  }

  // MARK: Attaching

  func attached() throws(CommandError) -> DebugConnection {
    guard let connection else {
      throw CommandError(.usage, "no daemon is attached", remedy: "send `attach` first")
    }
    return connection
  }

  private func attach(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    guard connection == nil else {
      throw CommandError(.usage, "a patch is attached already", remedy: "disconnect first")
    }
    func text(_ name: String) -> String? { arguments[name] as? String }
    guard let patch = text("patch") ?? defaults.patch else {
      throw CommandError(
        .usage, "`attach` does not say which patch",
        remedy: #"add "patch": "NAME"; `waxwing list` shows the names"#)
    }
    var parsed = ParsedArguments()
    parsed.command = "debug"
    parsed.values["--program"] = text("program") ?? (text("socket") == nil ? defaults.program : nil)
    parsed.values["--socket"] = text("socket") ?? (text("program") == nil ? defaults.socket : nil)
    let limit = (arguments["limit"] as? NSNumber)?.doubleValue ?? defaults.limit
    let made = try DebugConnection(
      try DaemonLocator(parsed).path(), patch: patch, limit: limit,
      timeout: defaults.timeout)
    connection = made
    sources = DebugSources(files: made.files, place: text("path"))
    let seconds = made.limit == made.limit.rounded() ? "\(Int(made.limit))" : "\(made.limit)"
    output("attached to \(patch) in \(made.title); a call stops for \(seconds) s at most")
    return [:]
  }

  // MARK: Events

  /// Tells the editor what has happened in the daemon.
  func poll() {
    guard let connection else { return }
    do throws(CommandError) {
      for found in try connection.ask(.events).events ?? [] { tell(found) }
      dropLateSteps()
    } catch {
      self.connection = nil
      output(error.message, category: "important")
      event("terminated")
    }
  }

  private func tell(_ found: DebugEvent) {
    let call = Int(clamping: found.call)
    switch found.kind {
    case .stopped:
      if calls[call] == nil { event("thread", ["reason": "started", "threadId": call]) }
      references.forget(call: call)
      calls[call] = Call(stop: found.stop, thread: found.thread)
      event("stopped", Self.body(of: found, call))
    case .continued:
      output(found.text, category: "important")
      guard calls[call]?.stop == found.stop else { return }
      event("continued", ["threadId": call, "allThreadsContinued": false])
      forget(call)
    case .output:
      var body: [String: Any] = ["category": "console", "output": found.text + "\n"]
      if let path = sources.path(of: found.file) {
        body["source"] = ["path": path, "name": found.file]
        body["line"] = found.line - 1 + firstLine
      }
      event("output", body)
    case .ended: break
    }
  }

  private static func body(of stopped: DebugEvent, _ call: Int) -> [String: Any] {
    var body: [String: Any] = [
      "threadId": call, "allThreadsStopped": false,
      "reason": stopped.reason == .fault ? "exception" : stopped.reason.rawValue,
    ]
    if let breakpoint = stopped.breakpoint { body["hitBreakpointIds"] = [breakpoint] }
    if stopped.reason == .fault {
      body["description"] = "a fault in an override"
      body["text"] = stopped.text
    }
    return body
  }

  /// Lets go of a call that goes on by itself.
  func forget(_ call: Int) {
    references.forget(call: call)
    calls[call] = nil
    event("thread", ["reason": "exited", "threadId": call])
  }

  /// A step that ends its call stops nowhere.
  private func dropLateSteps() {
    let late = calls.filter { $0.value.stop == nil && .now - $0.value.stepped > .seconds(5) }
    for call in late.keys.sorted() { forget(call) }
  }
}

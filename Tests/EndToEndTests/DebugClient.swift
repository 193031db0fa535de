// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Synchronization
import Testing
import WaxwingTestSupport

/// An editor, as far as a debugger knows: it starts `waxwing debug`, and speaks with it.
final class DebugClient {
  typealias Object = [String: Any]

  /// What is read of the adapter, by a thread of its own. Unchecked: `condition` guards it.
  private final class Inbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes = Data()
    private var messages: [Object] = []
    private(set) var isOver = false

    func read(_ handle: FileHandle) {
      while true {
        let more = handle.availableData
        condition.withLock {
          if more.isEmpty { isOver = true }
          bytes += more
          while let message = next() { messages.append(message) }
          condition.broadcast()
        }
        if more.isEmpty { return }
      }
    }

    private func next() -> Object? {
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      let header = String(decoding: bytes[bytes.startIndex..<end.lowerBound], as: UTF8.self)
      let digits = header.drop { !$0.isNumber }.prefix { $0.isNumber }
      guard let length = Int(digits), bytes.count >= end.upperBound - bytes.startIndex + length
      else { return nil }
      let json = bytes[end.upperBound..<end.upperBound + length]
      bytes = Data(bytes[(end.upperBound + length)...])
      return (try? JSONSerialization.jsonObject(with: json)) as? Object ?? [:]
    }

    /// Takes the first message that fits.
    func take(_ what: String, timeout: Double, _ fits: (Object) -> Bool) throws -> Object {
      let end = Date(timeIntervalSinceNow: timeout)
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let index = messages.firstIndex(where: fits) { return messages.remove(at: index) }
        guard !isOver, condition.wait(until: end) else {
          throw TestSupportError("\(what) has not come; there are \(messages)")
        }
      }
    }

    func has(_ fits: (Object) -> Bool) -> Bool {
      condition.withLock { messages.contains(where: fits) }
    }
  }

  let process = Process()
  private let input = Pipe()
  private let inbox = Inbox()
  private var sequence = 0

  init(_ stage: Stage, _ arguments: [String] = []) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try BuiltProduct("waxwing").path)
    process.arguments = ["debug"] + arguments
    process.environment = ["WAXWING_SOCKET_DIR": stage.folder]
    process.currentDirectoryURL = URL(fileURLWithPath: stage.folder)
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let (inbox, handle) = (inbox, output.fileHandleForReading)
    Thread.detachNewThread { inbox.read(handle) }
  }

  deinit { kill() }

  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    waitUntil("the end of the debugger", seen: process.processIdentifier) { !process.isRunning }
  }

  /// Sends a request, and returns the whole response.
  func response(_ command: String, _ arguments: Object = [:]) throws -> Object {
    sequence += 1
    let message: Object = [
      "seq": sequence, "type": "request", "command": command, "arguments": arguments,
    ]
    let json = try JSONSerialization.data(withJSONObject: message)
    input.fileHandleForWriting.write(Data("Content-Length: \(json.count)\r\n\r\n".utf8) + json)
    let number = sequence
    return try inbox.take("the response to \(command)", timeout: 60) {
      $0["type"] as? String == "response" && $0["request_seq"] as? Int == number
    }
  }

  /// The body of the response to a request that succeeds.
  @discardableResult
  func ask(
    _ command: String, _ arguments: Object = [:], at location: SourceLocation = #_sourceLocation
  ) throws -> Object {
    let response = try response(command, arguments)
    #expect(response["success"] as? Bool == true, "\(response)", sourceLocation: location)
    return response["body"] as? Object ?? [:]
  }

  /// Why a request does not succeed.
  func refusal(_ command: String, _ arguments: Object = [:]) throws -> String {
    let response = try response(command, arguments)
    #expect(response["success"] as? Bool == false, "\(response)")
    let error = (response["body"] as? Object)?["error"] as? Object
    return ((error?["variables"] as? Object)?["text"] as? String) ?? ""
  }

  /// Waits for an event.
  func event(_ name: String, where fits: (Object) -> Bool = { _ in true }) throws -> Object {
    let found = try inbox.take("the event \(name)", timeout: 60) {
      $0["event"] as? String == name && fits($0["body"] as? Object ?? [:])
    }
    return found["body"] as? Object ?? [:]
  }

  /// Whether such an event has come and was not waited for.
  func has(event name: String) -> Bool { inbox.has { $0["event"] as? String == name } }

  // MARK: What editors do

  /// Attaches to a patch, with breakpoints in a file of the stage's.
  func attach(
    _ patch: String, in stage: Stage, _ file: String, _ breakpoints: [Object],
    filters: [String] = [], limit: Double = 60
  ) throws {
    try ask("initialize", ["adapterID": "waxwing"])
    try ask(
      "attach", ["patch": patch, "path": "\(stage.folder)/\(file)", "limit": limit])
    _ = try event("initialized")
    try set(breakpoints, in: "\(stage.folder)/\(file)")
    try ask("setExceptionBreakpoints", ["filters": filters])
    try ask("configurationDone")
  }

  @discardableResult
  func set(_ breakpoints: [Object], in path: String) throws -> [Object] {
    let body = try ask(
      "setBreakpoints", ["source": ["path": path], "breakpoints": breakpoints])
    return body["breakpoints"] as? [Object] ?? []
  }

  /// A call that has stopped.
  struct Stop {
    let thread: Int
    let reason: String
    let text: String
    let frames: [Object]
    var frame: Int { frames.first?["id"] as? Int ?? 0 }
    var line: Int { frames.first?["line"] as? Int ?? 0 }
  }

  func stop() throws -> Stop {
    let body = try event("stopped")
    let thread = try #require(body["threadId"] as? Int)
    let trace = try ask("stackTrace", ["threadId": thread])
    return Stop(
      thread: thread, reason: body["reason"] as? String ?? "", text: body["text"] as? String ?? "",
      frames: trace["stackFrames"] as? [Object] ?? [])
  }

  /// Names and values of what is behind a reference.
  func variables(_ reference: Int) throws -> [(name: String, value: String, reference: Int)] {
    let body = try ask("variables", ["variablesReference": reference])
    return (body["variables"] as? [Object] ?? []).map {
      (
        $0["name"] as? String ?? "", $0["value"] as? String ?? "",
        $0["variablesReference"] as? Int ?? 0
      )
    }
  }

  /// The variables of a scope of a frame.
  func scope(
    _ name: String, of frame: Int
  ) throws -> [(name: String, value: String, reference: Int)] {
    let scopes = try ask("scopes", ["frameId": frame])["scopes"] as? [Object] ?? []
    let scope = try #require(scopes.first { $0["name"] as? String == name })
    return try variables(scope["variablesReference"] as? Int ?? 0)
  }

  func evaluate(_ expression: String, in frame: Int) throws -> String {
    let body = try ask("evaluate", ["expression": expression, "frameId": frame])
    return body["result"] as? String ?? ""
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingToolKit

/// Answers the requests of an editor that is attached.
extension DebugAdapter {
  // MARK: Breakpoints

  func setBreakpoints(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    let connection = try attached()
    let source = arguments["source"] as? [String: Any] ?? [:]
    let wanted = arguments["breakpoints"] as? [[String: Any]] ?? []
    let path = source["path"] as? String ?? source["name"] as? String ?? ""
    guard let file = sources.file(at: path) else {
      let problem =
        "the patch has no such file; it has \(connection.files.joined(separator: ", "))"
      return [
        "breakpoints": wanted.map { _ in ["verified": false, "message": problem] as [String: Any] }
      ]
    }
    let text = try text(of: file)
    var kept: [DebugBreakpoint] = []
    var answers: [[String: Any]] = []
    for each in wanted {
      let (made, answer) = breakpoint(each, file, text)
      answers.append(answer)
      if let made { kept.append(made) }
    }
    breakpoints[file] = kept
    try sendBreakpoints()
    return ["breakpoints": answers]
  }

  private func breakpoint(
    _ wanted: [String: Any], _ file: String, _ text: String
  ) -> (DebugBreakpoint?, [String: Any]) {
    func refuse(_ message: String) -> (DebugBreakpoint?, [String: Any]) {
      (nil, ["verified": false, "message": message])
    }
    let wantedLine = (wanted["line"] as? Int).map { $0 + 1 - firstLine } ?? 0
    guard let line = DebugSources.codeLine(from: wantedLine, in: text) else {
      return refuse("the file has no code at or after this line")
    }
    func given(_ name: String) -> String? {
      (wanted[name] as? String).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    // The same number for what is the same: its hits go on being counted.
    var made = DebugBreakpoint(number: 0, file: file, line: line)
    made.condition = given("condition")
    made.message = given("logMessage")
    if let hits = given("hitCondition") {
      guard let count = Self.hits(hits) else {
        return refuse("the hit condition has to be a number, from which on calls stop, as `5`")
      }
      made.hits = count
    }
    made.number = number(of: made)
    return (made, ["id": made.number, "verified": true, "line": line - 1 + firstLine])
  }

  private func number(of made: DebugBreakpoint) -> Int {
    let same = breakpoints[made.file]?.first { old in
      var old = old
      old.number = 0
      return old == made
    }
    if let same { return same.number }
    lastBreakpoint += 1
    return lastBreakpoint
  }

  /// The number of hits from which calls stop, for `5`, `>= 5` or `> 4`.
  private static func hits(_ text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace }
    if text.hasPrefix(">=") { return Int(text.dropFirst(2)).flatMap { $0 > 0 ? $0 : nil } }
    if text.hasPrefix(">") { return Int(text.dropFirst()).flatMap { $0 >= 0 ? $0 + 1 : nil } }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  func setExceptionBreakpoints(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    stopsAtFaults = (arguments["filters"] as? [String] ?? []).contains("fault")
    try sendBreakpoints()
    return [:]
  }

  private func sendBreakpoints() throws(CommandError) {
    let all = breakpoints.sorted { $0.key < $1.key }.flatMap(\.value)
    let stopsAtFaults = stopsAtFaults
    _ = try attached().ask(.breakpoints) {
      $0.breakpoints = all
      $0.stopsAtFaults = stopsAtFaults
    }
  }

  // MARK: Calls

  func threads() -> [String: Any] {
    let known = calls.sorted { $0.key < $1.key }.map { call in
      ["id": call.key, "name": "call on thread \(call.value.thread)"] as [String: Any]
    }
    let running: [String: Any] = ["id": Self.running, "name": "calls that have not stopped"]
    return ["threads": known.isEmpty ? [running] : known]
  }

  /// Where a call has stopped.
  private func stop(_ arguments: [String: Any]) throws(CommandError) -> (call: Int, stop: UInt64) {
    let call = arguments["threadId"] as? Int ?? 0
    guard let stop = calls[call]?.stop else { throw Self.goneOn }
    return (call, stop)
  }

  private static let goneOn = CommandError(
    .refused, "the call has gone on, or has never stopped",
    remedy: "set a breakpoint, and wait until a call comes there")

  func resume(
    _ arguments: [String: Any], _ step: DebugStep
  ) throws(CommandError) -> [String: Any] {
    let (call, stop) = try stop(arguments)
    _ = try attached().ask(.resume) {
      $0.stop = stop
      $0.step = step
    }
    references.forget(call: call)
    if step == .goOn {
      calls[call] = nil
    } else {
      calls[call]?.stop = nil
      calls[call]?.stepped = .now
    }
    return step == .goOn ? ["allThreadsContinued": false] : [:]
  }

  func stackTrace(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    let (call, stop) = try stop(arguments)
    let frames = try attached().ask(.frames) { $0.stop = stop }.frames ?? []
    let first = max(0, arguments["startFrame"] as? Int ?? 0)
    let most = arguments["levels"] as? Int ?? 0
    let shown = frames.dropFirst(first).prefix(most > 0 ? most : frames.count)
    return [
      "totalFrames": frames.count,
      "stackFrames": shown.map { frame -> [String: Any] in
        let reference = DebugReferences.Frame(call: call, stop: stop, level: frame.level)
        return [
          "id": references.number(of: reference), "line": frame.line - 1 + firstLine, "column": 1,
          "name": frame.name.isEmpty ? "\(frame.file):\(frame.line)" : frame.name,
          "source": place(of: frame.file),
        ]
      },
    ]
  }

  /// A file of the patch for the editor: its path, or a number with which the editor can ask for
  /// the text.
  private func place(of file: String) -> [String: Any] {
    if let path = sources.path(of: file) { return ["name": file, "path": path] }
    let number = (sources.files.firstIndex(of: file) ?? -1) + 1
    return ["name": file, "sourceReference": number]
  }

  func source(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    let source = arguments["source"] as? [String: Any]
    let number =
      arguments["sourceReference"] as? Int ?? source?["sourceReference"] as? Int ?? 0
    guard number > 0, number <= sources.files.count else {
      throw CommandError(.refused, "the patch has no file with the number \(number)")
    }
    return ["content": try text(of: sources.files[number - 1]), "mimeType": "text/x-lua"]
  }

  private func text(of file: String) throws(CommandError) -> String {
    if let known = texts[file] { return known }
    let text = try attached().ask(.source) { $0.file = file }.text ?? ""
    texts[file] = text
    return text
  }

  // MARK: Values

  private func frame(_ arguments: [String: Any]) throws(CommandError) -> DebugReferences.Frame {
    guard let frame = references.frames[arguments["frameId"] as? Int ?? 0] else {
      throw CommandError(
        .refused, "there is no such frame: the call has gone on, or none was chosen",
        remedy: "expressions and variables are those of a frame of a call that has stopped")
    }
    return frame
  }

  func scopes(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    let frame = try frame(arguments)
    let handles =
      try attached().ask(.scopes) {
        $0.stop = frame.stop
        $0.level = frame.level
      }.handles ?? []
    let names = [("Locals", "locals"), ("Upvalues", "arguments"), ("Swift values", "registers")]
    return [
      "scopes": zip(names, handles).map { name, handle -> [String: Any] in
        let value = DebugReferences.Value(call: frame.call, stop: frame.stop, handle: handle)
        return [
          "name": name.0, "presentationHint": name.1, "expensive": false,
          "variablesReference": references.number(of: value),
        ]
      }
    ]
  }

  func variables(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    guard let value = references.values[arguments["variablesReference"] as? Int ?? 0] else {
      throw CommandError(
        .refused, "there is no such value any more: the call has gone on",
        remedy: "ask for the scopes again once a call has stopped")
    }
    let found =
      try attached().ask(.variables) {
        $0.stop = value.stop
        $0.handle = value.handle
        $0.first = (arguments["start"] as? Int ?? 0) + 1
        $0.most = (arguments["count"] as? Int).flatMap { $0 > 0 ? $0 : nil }
      }.variables ?? []
    return [
      "variables": found.map { variable -> [String: Any] in
        var shown = described(variable, value.call, value.stop, as: "value")
        shown["name"] = variable.name
        if variable.isReadLater == true { shown["presentationHint"] = ["lazy": true] }
        if !variable.expression.isEmpty { shown["evaluateName"] = variable.expression }
        return shown
      }
    ]
  }

  private func described(
    _ variable: DebugVariable, _ call: Int, _ stop: UInt64, as key: String
  ) -> [String: Any] {
    let value = DebugReferences.Value(call: call, stop: stop, handle: variable.handle)
    return [
      key: variable.value, "type": variable.type,
      "variablesReference": references.number(of: value),
    ]
  }

  func evaluate(_ arguments: [String: Any]) throws(CommandError) -> [String: Any] {
    let frame = try frame(arguments)
    let expression = arguments["expression"] as? String ?? ""
    let found = try attached().ask(.evaluate) {
      $0.stop = frame.stop
      $0.level = frame.level
      $0.text = expression
    }.variables
    guard let value = found?.first else { return ["result": "", "variablesReference": 0] }
    return described(value, frame.call, frame.stop, as: "result")
  }
}

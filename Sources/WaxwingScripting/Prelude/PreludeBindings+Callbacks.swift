// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection

/// `on`, and replies to messages.
extension PreludeBindings {
  /// (event, function): has the function called at each such event.
  func declareCallback(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    guard let event = ScriptEvent(rawValue: name) else {
      let known = ScriptEvent.allCases.map(\.rawValue)
      let near = Suggestions.nearest(to: name, in: Set(known))
      let all = known.map { "`\($0)`" }.joined(separator: ", ")
      throw .message(
        "there is no event `\(name)`; "
          + (near.first.map { "did you mean `\($0)`?" } ?? "there are \(all)"))
    }
    if runtime.isWholeProgram {
      throw .message("only patches start and end; this script just runs")
    }
    try checkIsNoShell("`on` is used")
    guard runtime.isLoading else {
      throw .message("`on` works while the patch loads; `\(name)` comes too late")
    }
    guard let reference = call.reference(toArgument: 1) else { throw .message("not enough memory") }
    runtime.callbacks.add(reference, for: event)
  }

  /// (question, function): a script of the engine's own answers the question with the function.
  func declareAnswer(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let name = reader.displayString(reader.read()) ?? ""
    guard let question = ScriptQuestion(rawValue: name), runtime.isLoading else {
      throw .message("there is no question `\(name)`, or it comes too late")
    }
    guard let reference = call.reference(toArgument: 1) else { throw .message("not enough memory") }
    runtime.questions.add(reference, for: question)
  }

  /// (number of a message or question, the reply or nil, why there is none) -> whether anybody waited
  func replyToMessage(_ call: inout LuaCall) {
    var reader = call.arguments
    let number = Int(reader.read().integer)
    let value = reader
    reader.skip()
    let reply = ScriptReply(value, failure: reader.displayString(reader.read()))
    call.writer.boolean(runtime.callbacks.messages.reply(reply, to: number))
  }
}

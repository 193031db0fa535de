// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
internal import WaxwingLua

/// The questions of the engine to its own scripts: those of `trace`, `record`, `instances` and of
/// shadows.
package enum ScriptQuestion: String, Sendable, CaseIterable {
  /// The calls that were seen since the last time.
  case calls
  /// The calls that are kept.
  case kept
  /// How many calls are kept.
  case count
  /// Asks to keep no more calls.
  case stop
  /// Asks to make a recorded call again.
  case replay
  /// The objects that are noted.
  case objects
  /// Asks for the comparisons since the last time.
  case comparison
}

/// A plain value that goes with a request to a script of the engine's own.
package enum ScriptArgument: Sendable {
  case boolean(Bool)
  case integer(Int)
  case text(String)

  func write(to writer: LuaWriter) {
    switch self {
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .text(let value): writer.string(value)
    }
  }
}

/// The reply of a script, while the function that replies runs.
package struct ScriptReply {
  /// The reader at the value of the reply, which is nil if the reply gives a reason instead.
  private let value: LuaReader
  private let failure: String?

  init(_ value: LuaReader, failure: String?) {
    self.value = value
    self.failure = failure
  }

  init(failure: String) { self.init(.empty, failure: failure) }

  /// The reply to a message: a string.
  var message: MessageReply {
    value.displayString(value.peeked).map(MessageReply.text) ?? .failure(reason)
  }

  /// Reads the table that it replies with.
  /// - Throws: `ScriptRefusal` if there is none, `ScriptTableError` if it is not as `read` wants it.
  package func read<Answer>(_ read: (ScriptTable) throws -> Answer) throws -> Answer {
    guard !value.peeked.isNil else { throw ScriptRefusal(reason: reason) }
    var reader = value
    return try read(ScriptTable(&reader))
  }

  private var reason: String { failure ?? "no reason was given" }
}

/// Why a script does not answer.
package struct ScriptRefusal: Error {
  package let reason: String
}

/// The functions with which a script of the engine's own answers.
///
/// The thread that loads the script adds them. After that nothing changes.
package final class ScriptQuestions {
  private unowned let runtime: ScriptRuntime
  private var references: [ScriptQuestion: Int32] = [:]

  init(_ runtime: ScriptRuntime) { self.runtime = runtime }

  func add(_ reference: Int32, for question: ScriptQuestion) { references[question] = reference }

  /// Runs the function for a question, on this thread. Any thread, at any time.
  /// - Parameter reply: Called once, on any thread, perhaps before this returns, with the state entered if there
  ///   is a value; also when the script ends without a reply.
  package func ask(
    _ question: ScriptQuestion, _ arguments: [ScriptArgument],
    reply: @escaping @Sendable (ScriptReply) -> Void
  ) {
    let messages = runtime.callbacks.messages
    guard let number = messages.add(reply) else {
      return reply(ScriptReply(failure: "the script has ended"))
    }
    let isAsked: Void? = runtime.functions.inCall(of: "answer(\"\(question.rawValue)\")") { state in
      state.entered { run(question, arguments, number) }
    }
    if isAsked == nil { messages.reply(ScriptReply(failure: "the script has ended"), to: number) }
  }

  private func run(_ question: ScriptQuestion, _ arguments: [ScriptArgument], _ number: Int) {
    let messages = runtime.callbacks.messages
    guard let reference = references[question] else {
      messages.reply(ScriptReply(failure: "it answers no `\(question.rawValue)`"), to: number)
      return
    }
    do throws(LuaFailure) {
      try runtime.withCoroutine { coroutine throws(LuaFailure) in
        coroutine.writer.integer(number)
        for argument in arguments { argument.write(to: coroutine.writer) }
        _ = try coroutine.call(reference)
      }
    } catch {
      runtime.state.suspended {
        runtime.callbacks.report(error, in: "answer(\"\(question.rawValue)\")")
      }
      messages.reply(ScriptReply(failure: error.message), to: number)
    }
  }
}

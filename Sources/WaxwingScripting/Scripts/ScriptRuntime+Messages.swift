// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
package import WaxwingOverrides

extension ScriptRuntime {
  /// Whether it has functions for messages. Once it has loaded that does not change.
  package var takesMessages: Bool { !callbacks(for: .message).isEmpty }

  /// Hands a message to the functions that the script has given to `on("message", f)`, the newest first,
  /// up to one that takes it. They run on this thread. Any thread, at any time: nothing happens once the
  /// script has ended.
  /// - Parameters:
  ///   - name: Whom it is for.
  ///   - text: What it says: any bytes, JSON by convention.
  ///   - reply: Called once if it is taken, on any thread, perhaps before this returns; also when the
  ///     script ends without a reply.
  /// - Returns: Whether it is taken.
  package func deliver(
    _ name: String, _ text: String, reply: @escaping @Sendable (MessageReply) -> Void
  ) -> Bool {
    guard let number = messages.add(reply) else { return false }
    let isTaken =
      functions.inCall(of: "on(\"message\")") { state in
        state.entered { offer(name, text, number) }
      } ?? false
    if !isTaken { messages.forget(number) }
    return isTaken
  }

  private func offer(_ name: String, _ text: String, _ number: Int) -> Bool {
    for reference in callbacks(for: .message).reversed() {
      do throws(LuaFailure) {
        let isTaken = try withCoroutine { coroutine throws(LuaFailure) in
          coroutine.writer.string(name)
          coroutine.writer.string(text)
          coroutine.writer.integer(number)
          let count = try coroutine.call(reference)
          var reader = coroutine.reader
          return count > 0 && reader.read().isTrue
        }
        if isTaken { return true }
      } catch {
        let fault = OverrideFault(
          function: "on(\"message\") for \(name)", message: error.message, frames: error.frames,
          position: error.position)
        state.suspended { options.host.callbackFailed(fault) }
        messages.reply(.failure(error.message), to: number)
        return true
      }
    }
    return false
  }
}

extension PreludeBindings {
  /// (number of a message, text of the reply or nil, why there is none) -> whether anybody waited
  func replyToMessage(_ call: inout LuaCall) {
    var reader = call.arguments
    let number = Int(reader.read().integer)
    let text = reader.displayString(reader.read())
    let failure = reader.displayString(reader.read())
    let reply = text.map(MessageReply.text) ?? .failure(failure ?? "no reason was given")
    call.writer.boolean(runtime.messages.reply(reply, to: number))
  }
}

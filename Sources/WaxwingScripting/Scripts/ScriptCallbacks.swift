// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingBridge
package import WaxwingLua

/// The functions that the script has given to `on(event, f)`, and the messages that they have taken.
/// Functions for the start and the end of a patch run on the thread that starts or ends it.
///
/// While the script loads, the thread that loads it adds functions. After that nothing changes but
/// `isLive`, which the thread that starts or ends the patch uses, and the messages, which have a lock.
package final class ScriptCallbacks {
  private unowned let runtime: ScriptRuntime
  private var references: [ScriptEvent: [Int32]] = [:]
  /// Whether the patch has started, and so will have ended.
  private var isLive = false
  /// The messages without a reply. Any thread.
  let messages = ScriptMessages()

  init(_ runtime: ScriptRuntime) {
    self.runtime = runtime
  }

  func add(_ reference: Int32, for event: ScriptEvent) {
    references[event, default: []].append(reference)
  }

  private func references(for event: ScriptEvent) -> [Int32] { references[event] ?? [] }

  /// Runs the functions for an event in the order of declaration, up to one that fails.
  package func run(_ event: ScriptEvent) throws(LuaFailure) {
    for reference in references(for: event) { try run(reference) }
  }

  /// Runs all functions for an event in the order of declaration. Those that fail are reported to
  /// the host.
  package func runAll(_ event: ScriptEvent) {
    if event == .started { isLive = true }
    for reference in references(for: event) {
      do throws(LuaFailure) {
        try run(reference)
      } catch {
        report(error, in: "on(\"\(event.rawValue)\")")
      }
    }
  }

  /// Runs the functions for `ended` if the patch has started.
  func runEnded() {
    if isLive { runtime.functions.withLateCalls { runAll(.ended) } }
  }

  private func run(_ reference: Int32) throws(LuaFailure) {
    try runtime.state.entered { () throws(LuaFailure) in
      try runtime.withCoroutine { coroutine throws(LuaFailure) in _ = try coroutine.call(reference)
      }
    }
  }

  func report(_ failure: LuaFailure, in function: String) {
    runtime.options.host.callbackFailed(
      OverrideFault(
        function: function, message: failure.message, frames: failure.frames,
        position: failure.position))
  }
}

// MARK: - Messages

extension ScriptCallbacks {
  /// Whether there are functions for messages. Once the script has loaded that does not change.
  package var takesMessages: Bool { !references(for: .message).isEmpty }

  /// Hands a message to the functions that the script has given to `on("message", f)`, the newest
  /// first, up to one that takes it. They run on this thread. Any thread, at any time: nothing
  /// happens once the script has ended.
  /// - Parameters:
  ///   - name: The name that the message is for.
  ///   - text: The text of the message: any bytes, JSON by convention.
  ///   - reply: Called once if the message is taken, on any thread, perhaps before this returns;
  ///     also when the script ends without a reply.
  /// - Returns: nil if the message is taken; otherwise the names that the script's functions take.
  package func deliver(
    _ name: String, _ text: String, reply: @escaping @Sendable (MessageReply) -> Void
  ) -> [String]? {
    guard let number = messages.add({ reply($0.message) }) else { return [] }
    let offer: (isTaken: Bool, names: [String]) =
      runtime.functions.inCall(of: "on(\"message\")") { state in
        state.entered { self.offer(name, text, number) }
      } ?? (false, [])
    if offer.isTaken { return nil }
    messages.forget(number)
    return offer.names
  }

  /// A function that does not take a message returns false, and may return the names that it takes.
  private func offer(
    _ name: String, _ text: String, _ number: Int
  ) -> (isTaken: Bool, names: [String]) {
    var names: [String] = []
    for reference in references(for: .message).reversed() {
      do throws(LuaFailure) {
        let isTaken = try runtime.withCoroutine { coroutine throws(LuaFailure) in
          coroutine.writer.string(name)
          coroutine.writer.string(text)
          coroutine.writer.integer(number)
          let count = try coroutine.call(reference)
          var reader = coroutine.reader
          if count > 0, reader.read().isTrue { return true }
          names += (0..<max(0, count - 1)).compactMap { _ in reader.displayString(reader.read()) }
          return false
        }
        if isTaken { return (true, []) }
      } catch {
        runtime.state.suspended { report(error, in: "on(\"message\") for \(name)") }
        messages.reply(ScriptReply(failure: error.message), to: number)
        return (true, [])
      }
    }
    return (false, names)
  }
}

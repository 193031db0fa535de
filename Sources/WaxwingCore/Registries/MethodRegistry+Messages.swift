// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingScripting
import WaxwingSystem

extension MethodRegistry {
  /// Sends a message to the newest live patch that takes it, and waits for the reply. Any thread.
  /// - Parameters:
  ///   - name: The name that the message is for.
  ///   - text: The text of the message.
  ///   - waitSeconds: The time for which it waits for a patch that takes it, if there is none yet.
  ///   - timeoutSeconds: The time for which it waits for the reply, from when a patch has taken it.
  /// - Returns: The reply.
  /// - Throws: `WaxwingError` with the code `notFound` if no live patch takes it, `stalled` if
  ///   there is no reply in time, and `refused` with the patch's reason.
  package func send(
    _ text: String, to name: String, waitSeconds: Double, timeoutSeconds: Double
  ) throws(WaxwingError) -> String {
    let reply = Monitor<MessageReply?>(nil)
    let patience = Deadline.after(seconds: waitSeconds)
    while let others = offer(text, to: name, reply) {
      if patience.isPast { throw nobody(name, others) }
      _ = reply.wait(until: min(patience, .after(seconds: 0.05))) { _ in nil as Void? }
    }
    switch reply.wait(until: .after(seconds: timeoutSeconds), { $0 }) {
    case .text(let text): return text
    case .failure(let reason): throw WaxwingError(.refused, "\(name) did not reply: \(reason)")
    case nil:
      throw WaxwingError(
        .stalled,
        "\(name) has taken the message, and did not reply within \(timeoutSeconds) seconds",
        remedy: "give it longer with --timeout, or look at the patch's log")
    }
  }

  /// - Returns: nil if a patch has taken it; otherwise the names that patches take.
  private func offer(
    _ text: String, to name: String, _ reply: Monitor<MessageReply?>
  ) -> [String]? {
    var others: [String] = []
    for receiver in receivers {
      let names = receiver.callbacks.deliver(name, text) { answer in reply.withLock { $0 = answer }
      }
      guard let names else { return nil }
      others += names
    }
    return others
  }

  private func nobody(_ name: String, _ others: [String]) -> WaxwingError {
    let near = NearestNames.question(for: name, in: Set(others)).map { "\($0) Else " } ?? ""
    return WaxwingError(
      .notFound, "no live patch takes messages for '\(name)'",
      remedy: receivers.isEmpty
        ? "apply a patch that has a handler for it: `require(\"bridge\").handle(\"\(name)\", f)`"
        : "\(near)check the name, or wait for the patch with --wait")
  }
}

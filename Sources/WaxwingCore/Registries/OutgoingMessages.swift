// SPDX-License-Identifier: MIT

package import WaxwingBridge
package import WaxwingSystem

/// The messages of all patches to clients of the program: they wait here for a client that handles their
/// name, and then for its reply. Any thread.
package final class OutgoingMessages: Sendable {
  package struct Message: Sendable {
    /// The number that a reply names.
    package let number: Int
    /// The patch that has sent it.
    package let patch: String
    /// Whom it is for.
    let name: String
    package let text: String
  }

  private struct Entry: Sendable {
    let message: Message
    var isTaken = false
    let receiver: @Sendable (MessageReply) -> Void
  }

  private struct State: Sendable {
    /// The messages, oldest first.
    var entries: [Entry] = []
    var last = 0
    /// The size of all messages in bytes.
    var size = 0
  }

  private let state = Monitor(State())

  /// How many messages of one patch wait at a time.
  static let mostPerPatch = 1000

  /// How many bytes the messages of all patches have together.
  static let mostBytes = 16 << 20

  /// Adds a message that waits for a client.
  /// - Parameter receiver: Is called once, with the reply, unless the message is withdrawn.
  /// - Returns: The message's number.
  func add(
    _ text: String, to name: String, from patch: String,
    _ receiver: @escaping @Sendable (MessageReply) -> Void
  ) throws(UndeliverableMessage) -> Int {
    try state.withLock { (state) throws(UndeliverableMessage) in
      guard state.entries.count(where: { $0.message.patch == patch }) < Self.mostPerPatch else {
        throw UndeliverableMessage(
          "\(Self.mostPerPatch) messages of this patch wait for replies already")
      }
      guard state.size + text.utf8.count <= Self.mostBytes else {
        throw UndeliverableMessage(
          "the messages that wait for replies have \(state.size) bytes already")
      }
      state.last += 1
      state.size += text.utf8.count
      let message = Message(number: state.last, patch: patch, name: name, text: text)
      state.entries.append(Entry(message: message, receiver: receiver))
      return message.number
    }
  }

  /// The oldest message for the name that no client has taken. Waits for one; nil: there is none in time.
  package func take(_ name: String, until deadline: Deadline) -> Message? {
    state.wait(until: deadline) { state in
      guard
        let index = state.entries.firstIndex(where: { !$0.isTaken && $0.message.name == name })
      else { return nil }
      state.entries[index].isTaken = true
      return state.entries[index].message
    }
  }

  /// Hands on the reply to a message that a client has taken.
  /// - Returns: Whether anybody waited for it.
  package func reply(_ reply: MessageReply, to number: Int) -> Bool {
    guard let entry = remove(number, where: \.isTaken) else { return false }
    entry.receiver(reply)
    return true
  }

  /// Withdraws a message: nobody waits for its reply any more.
  func withdraw(_ number: Int) { _ = remove(number) { _ in true } }

  private func remove(_ number: Int, where isMeant: (Entry) -> Bool) -> Entry? {
    state.withLock { state in
      guard
        let index = state.entries.firstIndex(where: { $0.message.number == number }),
        isMeant(state.entries[index])
      else { return nil }
      state.size -= state.entries[index].message.text.utf8.count
      return state.entries.remove(at: index)
    }
  }
}

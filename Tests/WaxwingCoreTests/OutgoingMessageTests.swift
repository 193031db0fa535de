// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import WaxwingBridge
import WaxwingSystem

@testable import WaxwingCore

/// Messages of patches to clients, and their replies.
@Suite struct OutgoingMessageTests {
  private let messages = OutgoingMessages()

  /// What came as a reply.
  private final class Reply: Sendable {
    private let value = Mutex<[MessageReply]>([])

    var all: [MessageReply] { value.withLock { $0 } }
    func receive(_ reply: MessageReply) { value.withLock { $0.append(reply) } }
  }

  private func add(_ text: String, to name: String, from patch: String = "p") throws -> (
    number: Int, reply: Reply
  ) {
    let reply = Reply()
    return (try messages.add(text, to: name, from: patch) { reply.receive($0) }, reply)
  }

  @Test func `messages of a name are taken in order, each once`() throws {
    let first = try add("1", to: "a").number
    _ = try add("2", to: "b")
    let third = try add("3", to: "a", from: "q").number
    let taken = messages.take("a", until: .now)
    #expect(taken?.number == first && taken?.text == "1" && taken?.patch == "p")
    #expect(messages.take("a", until: .now)?.number == third)
    #expect(messages.take("a", until: .now) == nil)
    #expect(messages.take("c", until: .now) == nil)
  }

  @Test func `a reply comes once, to a message that was taken`() throws {
    let sent = try add("1", to: "a")
    #expect(!messages.reply(.text("early"), to: sent.number))
    _ = messages.take("a", until: .now)
    #expect(messages.reply(.text("yes"), to: sent.number))
    #expect(!messages.reply(.text("again"), to: sent.number))
    #expect(sent.reply.all == [.text("yes")])
  }

  @Test func `a message that is withdrawn is not taken, and gets no reply`() throws {
    let waiting = try add("1", to: "a")
    messages.withdraw(waiting.number)
    #expect(messages.take("a", until: .now) == nil)
    let taken = try add("2", to: "a")
    _ = messages.take("a", until: .now)
    messages.withdraw(taken.number)
    #expect(!messages.reply(.text("late"), to: taken.number))
    #expect(waiting.reply.all.isEmpty && taken.reply.all.isEmpty)
  }

  @Test func `a client waits for a message`() async throws {
    let messages = messages
    async let taken = Task.detached { messages.take("a", until: .after(seconds: 60)) }.value
    _ = try add("1", to: "a")
    #expect(await taken?.text == "1")
  }

  @Test func `a patch has so many messages, and no other is kept from sending by that`() throws {
    for _ in 0..<OutgoingMessages.mostPerPatch { _ = try add("", to: "a") }
    #expect(throws: UndeliverableMessage.self) { try add("", to: "a") }
    _ = try add("", to: "a", from: "q")
    messages.withdraw(1)
    _ = try add("", to: "a")
  }

  @Test func `all messages together have so many bytes`() throws {
    let half = String(repeating: "x", count: OutgoingMessages.mostBytes / 2)
    let first = try add(half, to: "a")
    _ = try add(half, to: "a", from: "q")
    #expect(throws: UndeliverableMessage.self) { try add("x", to: "a", from: "r") }
    messages.withdraw(first.number)
    _ = try add("x", to: "a", from: "r")
  }
}

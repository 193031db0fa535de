// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingLua

/// `ask(name, text)`: a wait for a client's reply to a message.
/// Unchecked: as `Wait`.
package final class ReplyWait: OperationWait, @unchecked Sendable {
  private let host: any ScriptHost
  private let name: String
  private let text: String
  private let reply = Mutex<MessageReply?>(nil)
  private let hasReply = Latch()
  private let ticket: Int

  package init(_ host: any ScriptHost, _ name: String, _ text: String) {
    (self.host, self.name, self.text) = (host, name, text)
    ticket = hasReply.ticket()
  }

  override func run() async {
    switch host.send(text, to: name, reply: { [weak self] in self?.receive($0) }) {
    case .failure(let problem): receive(.failure(problem.reason))
    case .success(let withdraw): if !(await hasReply.wait(ticket)) { withdraw() }
    }
  }

  private func receive(_ message: MessageReply) {
    reply.withLock { $0 = message }
    hasReply.open()
  }

  override func finish(_ call: inout LuaCall) throws(LuaRaise) {
    switch reply.withLock({ $0 }) {
    case .text(let text): call.writer.string(text)
    case .failure(let reason):
      call.writer.nil()
      call.writer.string(reason)
    case nil: throw .error(CancellationError())
    }
  }

  override func interrupt() { hasReply.giveUp(ticket) }
}

// SPDX-License-Identifier: MIT

internal import Synchronization

/// The messages and questions that a script has taken and not yet replied to.
final class ScriptMessages: Sendable {
  typealias Receiver = @Sendable (ScriptReply) -> Void

  private struct State {
    var receivers: [Int: Receiver] = [:]
    var last = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// - Returns: The message's number; nil: the script has ended.
  func add(_ receiver: @escaping Receiver) -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.last += 1
      state.receivers[state.last] = receiver
      return state.last
    }
  }

  /// Replies once: a second reply is dropped.
  /// - Returns: Whether anybody waited for it.
  @discardableResult
  func reply(_ reply: ScriptReply, to number: Int) -> Bool {
    let receiver = state.withLock { $0.receivers.removeValue(forKey: number) }
    receiver?(reply)
    return receiver != nil
  }

  /// Forgets a message: nobody waits for its reply any more.
  func forget(_ number: Int) {
    state.withLock { state in _ = state.receivers.removeValue(forKey: number) }
  }

  /// Ends what waits, and takes no more.
  func close(_ reason: String) {
    let receivers = state.withLock { state in
      state.isClosed = true
      defer { state.receivers = [:] }
      return Array(state.receivers.values)
    }
    for receiver in receivers { receiver(ScriptReply(failure: reason)) }
  }
}

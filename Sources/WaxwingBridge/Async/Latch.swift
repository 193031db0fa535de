// SPDX-License-Identifier: MIT

internal import Synchronization

/// An event that happens once, and that any number of tasks can wait for.
package final class Latch: Sendable {
  private struct Contents {
    var isOpen = false
    var made = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    /// The numbers of waits that were interrupted before they began.
    var interrupted: Set<Int> = []
  }

  private let contents = Mutex(Contents())

  var isOpen: Bool { contents.withLock(\.isOpen) }

  package func open() {
    let waiting = contents.withLock { contents in
      contents.isOpen = true
      defer { contents.waiting = [:] }
      return Array(contents.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// A wait that can be given up.
  func ticket() -> Int {
    contents.withLock { contents in
      contents.made += 1
      return contents.made
    }
  }

  /// - Returns: Whether it is open; false if the wait was given up or the task cancelled.
  func wait(_ ticket: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = contents.withLock { contents in
          if contents.isOpen { return true }
          if contents.interrupted.remove(ticket) != nil { return false }
          contents.waiting[ticket] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(ticket)
    }
  }

  func giveUp(_ ticket: Int) {
    let continuation = contents.withLock { contents in
      let continuation = contents.waiting.removeValue(forKey: ticket)
      if continuation == nil { contents.interrupted.insert(ticket) }
      return continuation
    }
    continuation?.resume(returning: false)
  }
}

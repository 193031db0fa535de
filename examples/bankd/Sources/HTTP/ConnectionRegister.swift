// SPDX-License-Identifier: MIT

import Foundation

/// The connections that are open, so that their number is bounded and all can be ended.
final class ConnectionRegister: @unchecked Sendable {
  private let limit: Int
  private let patience: Duration
  /// Guards what follows; signalled when a connection goes.
  private let condition = NSCondition()
  private var sockets: [ObjectIdentifier: Socket] = [:]
  private var closing: ContinuousClock.Instant?

  /// - Parameter patience: For how long after `close` what is waited for may still arrive.
  init(limit: Int, patience: Duration) {
    self.limit = limit
    self.patience = patience
  }

  /// - Returns: Whether there was room.
  func add(_ socket: Socket) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard closing == nil, sockets.count < limit else { return false }
    sockets[ObjectIdentifier(socket)] = socket
    return true
  }

  func remove(_ socket: Socket) {
    condition.lock()
    defer { condition.unlock() }
    sockets[ObjectIdentifier(socket)] = nil
    condition.broadcast()
  }

  /// Whether connections are to end.
  var isClosing: Bool {
    condition.lock()
    defer { condition.unlock() }
    return closing != nil
  }

  /// Whether they should have ended by now.
  var isOutOfPatience: Bool {
    condition.lock()
    defer { condition.unlock() }
    return closing.map { $0 + patience < .now } ?? false
  }

  /// Lets no further connection in, and no further request on those that are open.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    closing = .now
    for socket in sockets.values {
      socket.shutDown(.receiving)
    }
  }

  /// Waits until no connection is left, or for so many seconds.
  func waitUntilEmpty(atMost seconds: Double) {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !sockets.isEmpty, condition.wait(until: deadline) {}
  }
}

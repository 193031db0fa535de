// SPDX-License-Identifier: MIT

import Foundation

/// The connections that are open, so that their number is bounded and all can be ended.
final class ConnectionRegister: @unchecked Sendable {
  private let limit: Int
  /// Guards what follows; signalled when a connection goes.
  private let condition = NSCondition()
  private var sockets: [ObjectIdentifier: Socket] = [:]
  private var isClosed = false

  init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: Whether there was room.
  func add(_ socket: Socket) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed, sockets.count < limit else { return false }
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
    return isClosed
  }

  /// Lets no further connection in, and no further request on those that are open.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
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

// SPDX-License-Identifier: MIT

import Glibc

/// Wakes a thread out of `poll`: a pair of connected sockets, as made without a moment in which a
/// child process could inherit them.
final class WakeUp: Sendable {
  private let receiver: FileDescriptor
  private let sender: FileDescriptor

  init() throws(ControlError) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | FileDescriptor.flags
    guard unsafe socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw ControlError.system("socketpair", errno, "the control thread cannot be woken")
    }
    receiver = FileDescriptor(owning: pair[0])
    sender = FileDescriptor(owning: pair[1])
  }

  /// The descriptor to poll for reading.
  var descriptor: Int32 { receiver.number }

  /// Makes the descriptor readable. A full buffer means that it is readable already.
  func signal() { _ = sender.send([1]) }

  /// Takes all signals so far.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 256)
    while case .success(let count) = receiver.receive(into: &buffer), count > 0 {}
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// An open file descriptor with one owner, closed when the owner goes.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over an open descriptor.
  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// A new Unix stream socket that does not block and that no child process inherits.
  static func streamSocket() throws(ControlError) -> FileDescriptor {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
    guard number >= 0 else { throw ControlError.system("socket", errno, "no socket") }
    return FileDescriptor(owning: number)
  }

  static var flags: Int32 {
    Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  }

  /// Reads the bytes that have come; an empty result is the end of the stream.
  func receive(into buffer: inout [UInt8]) -> Result<Int, ErrorNumber> {
    SystemCall.retrying { unsafe recv(number, &buffer, buffer.count, 0) }
  }

  /// Writes what fits. Never raises SIGPIPE, and never changes what the host does about it.
  func send(_ bytes: ArraySlice<UInt8>) -> Result<Int, ErrorNumber> {
    SystemCall.retrying {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// Waits for the events, or until the deadline: the events that came, or nil.
  func wait(for events: Int32, until deadline: Deadline) -> Int32? {
    SystemCall.wait(for: events, on: number, until: deadline)
  }
}

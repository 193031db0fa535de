// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import WaxwingTestSupport

/// Ports that nobody listens on.
enum FreePort {
  /// How many pairs were looked at.
  private static let count = Atomic(0)

  /// One whose next is free as well, below those that the system gives to clients.
  static func pair() throws -> UInt16 {
    for _ in 0..<100 {
      let number = count.add(1, ordering: .relaxed).newValue + Int(getpid()) * 10
      let port = UInt16(20_000 + number * 2 % 12_000)
      if isFree(port), isFree(port + 1) { return port }
    }
    throw TestSupportError("no two ports are free")
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

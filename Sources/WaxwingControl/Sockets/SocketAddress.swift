// SPDX-License-Identifier: MIT

import Glibc

/// The path of a Unix socket, known to fit the system's address structure.
struct SocketAddress: Sendable {
  /// `sun_path` has 108 bytes on Linux, one of them for the closing zero.
  static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  let path: String

  init(path: String) throws(ControlError) {
    let length = path.utf8.count
    guard length <= Self.maximumLength else {
      throw ControlError(
        .pathTooLong,
        message: "the socket path has \(length) bytes; the limit is \(Self.maximumLength): \(path)",
        remedy: "use a shorter path, or set WAXWING_SOCKET_DIR to a shorter folder")
    }
    guard length > 0, !path.utf8.contains(0) else {
      throw ControlError(
        .unsafePath, message: "the socket path is empty or has a zero byte",
        remedy: "give the path of a file")
    }
    self.path = path
  }

  /// Hands the address to `bind` or `connect`.
  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// The folder that the socket is in.
  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name of the socket's file.
  var file: String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import Testing
import WaxwingFleet

@testable import WaxwingConsole

/// The console's web server among clients that do not behave.
@Suite struct ConsoleServerTests {
  /// A connection, byte by byte.
  private final class Client {
    private let descriptor: Int32

    init(_ port: UInt16) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(status == 0)
    }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next answer, whose body is one line; or what comes until the end of the connection.
    func answer() -> String {
      var text: [UInt8] = []
      while !text.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = next() { text.append(byte) }
      while text.last != UInt8(ascii: "\n") || text.suffix(4).elementsEqual("\r\n\r\n".utf8),
        let byte = next()
      {
        text.append(byte)
      }
      return String(decoding: text, as: UTF8.self)
    }

    private func next() -> UInt8? {
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }

    deinit { close(descriptor) }
  }

  private let server: ConsoleServer
  private let access: ConsoleAccess

  init() throws {
    server = try ConsoleServer(port: 0)
    access = ConsoleAccess(port: server.port, key: nil)
    server.serve(ConsoleRoutes(access) { _ in })
  }

  private func get(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
  }

  @Test func `clients that send a line now and then lock nobody out, and are sent away`() throws {
    // The page that is open already.
    let page = try Client(server.port)
    page.send(get(access.path))
    #expect(page.answer().hasPrefix("HTTP/1.1 303"))
    let slow = try (0..<200).map { _ in try Client(server.port) }
    for line in ["GET / HTTP/1.1\r\n", "X: 1\r\n", "Y: 2\r\n"] {
      for client in slow { client.send(line) }
      let new = try Client(server.port)
      new.send(get(access.path))
      #expect(new.answer().hasPrefix("HTTP/1.1 303"))
      page.send(get(access.path))
      #expect(page.answer().hasPrefix("HTTP/1.1 303"))
    }
    // Those that came last have their time, and no more, whatever they send.
    for client in slow { #expect(!client.answer().contains(" 200 ")) }
  }

  private static let mayOpenMany: Bool = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return limit.rlim_cur >= 4096
  }()

  @Test(.enabled(if: ConsoleServerTests.mayOpenMany, "a process may open few files here"))
  func `it serves where the process has more than 1024 files open`() throws {
    let files = (0..<1100).map { _ in dup(STDERR_FILENO) }
    defer { for file in files { close(file) } }
    let client = try Client(server.port)
    client.send(get(access.path))
    #expect(client.answer().hasPrefix("HTTP/1.1 303"))
  }

  @Test func `whoever has no token is answered, and sent away`() throws {
    let client = try Client(server.port)
    client.send(get("/"))
    let answer = client.answer()
    #expect(answer.hasPrefix("HTTP/1.1 403"))
    #expect(answer.lowercased().contains("connection: close"))
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import WaxwingTestSupport

/// An etcd of a test's own, in a folder of its own, that can be killed and started again.
final class Etcd {
  let directory: TemporaryDirectory
  let port: UInt16
  private(set) var process: RunningProcess

  init() throws {
    directory = try TemporaryDirectory()
    port = try FreePort.pair()
    process = try Self.start(directory.path, port)
  }

  var endpoint: String { "http://127.0.0.1:\(port)" }

  private static func start(_ folder: String, _ port: UInt16) throws -> RunningProcess {
    let process = try Command(
      "etcd",
      [
        "--name", "one", "--data-dir", "\(folder)/data", "--listen-client-urls",
        "http://127.0.0.1:\(port)", "--advertise-client-urls", "http://127.0.0.1:\(port)",
        "--listen-peer-urls", "http://127.0.0.1:\(port + 1)", "--initial-advertise-peer-urls",
        "http://127.0.0.1:\(port + 1)", "--initial-cluster", "one=http://127.0.0.1:\(port + 1)",
        "--unsafe-no-fsync",
      ]
    ).start()
    let end = Date(timeIntervalSinceNow: 20)
    while Date() < end, process.isRunning {
      if (try? etcdctl(port, ["endpoint", "health"]))?.isSuccess == true { return process }
      usleep(50_000)
    }
    throw TestSupportError("etcd does not start: \(process.standardError.suffix(2000))")
  }

  /// Kills it as the system would.
  func kill() throws {
    process.send(signal: SIGKILL)
    try process.waitForExit()
  }

  /// Starts it again with what it had.
  func restart() throws { process = try Self.start(directory.path, port) }

  /// Stands still, and goes on.
  func stop() { process.send(signal: SIGSTOP) }
  func `continue`() { process.send(signal: SIGCONT) }

  @discardableResult
  func etcdctl(_ arguments: [String]) throws -> CommandResult {
    let result = try Self.etcdctl(port, arguments)
    guard result.isSuccess else { throw TestSupportError("etcdctl \(arguments): \(result)") }
    return result
  }

  private static func etcdctl(_ port: UInt16, _ arguments: [String]) throws -> CommandResult {
    try Command(
      "etcdctl", ["--endpoints", "http://127.0.0.1:\(port)"] + arguments,
      environment: ["ETCDCTL_API": "3"]
    ).run()
  }
}

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

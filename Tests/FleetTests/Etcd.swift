// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// An etcd of a test's own, of one member or several, in a folder of its own. Members can be killed, stand
/// still, and be started again.
final class Etcd {
  private let directory: TemporaryDirectory
  private let ports: [UInt16]
  private let certificates: EtcdCertificates?
  private let options: [String]
  /// Whether clients have to have a certificate: the members' own will do.
  let demandsCertificates: Bool
  private var processes: [RunningProcess] = []
  /// `USER:PASSWORD` for `etcdctl`; nil: there are no users.
  var credentials: String?

  /// - Parameters:
  ///   - certificates: With which clients are answered; nil: without TLS.
  ///   - demandsCertificates: Whether clients have to have one, too.
  ///   - options: More options of each member.
  init(
    members: Int = 1, certificates: EtcdCertificates? = nil, demandsCertificates: Bool = false,
    options: [String] = []
  ) throws {
    directory = try TemporaryDirectory()
    ports = try (0..<members).map { _ in try FreePort.pair() }
    self.certificates = certificates
    self.options = options
    self.demandsCertificates = demandsCertificates
    processes = try ports.indices.map { try start($0) }
    for member in ports.indices { try waitFor(member) }
  }

  /// The addresses of all members.
  var endpoints: [String] { ports.indices.map(endpoint) }

  /// The file of the authority that has signed the members' certificates; nil: there is no TLS.
  var authority: String? { certificates?.authority }
  /// The files of the certificate that clients have to have, and of its key; nil: they need none.
  var clientCertificate: String? { demandsCertificates ? certificates?.certificate : nil }
  var clientKey: String? { demandsCertificates ? certificates?.key : nil }

  private func endpoint(_ member: Int) -> String {
    "\(certificates == nil ? "http" : "https")://127.0.0.1:\(ports[member])"
  }

  private func peer(_ member: Int) -> String { "http://127.0.0.1:\(ports[member] + 1)" }

  private func start(_ member: Int) throws -> RunningProcess {
    let cluster = ports.indices.map { "m\($0)=\(peer($0))" }.joined(separator: ",")
    var arguments = [
      "--name", "m\(member)", "--data-dir", "\(directory.path)/m\(member)",
      "--listen-client-urls", endpoint(member), "--advertise-client-urls", endpoint(member),
      "--listen-peer-urls", peer(member), "--initial-advertise-peer-urls", peer(member),
      "--initial-cluster", cluster, "--unsafe-no-fsync",
    ]
    if let certificates {
      arguments += ["--cert-file", certificates.certificate, "--key-file", certificates.key]
      if demandsCertificates {
        arguments += ["--client-cert-auth", "--trusted-ca-file", certificates.authority]
      }
    }
    return try Command("etcd", arguments + options).start()
  }

  /// Waits until a member answers, for which most of them have to be there.
  private func waitFor(_ member: Int) throws {
    let process = processes[member]
    try waitUntil("etcd answers", seen: process.standardError.suffix(2000)) {
      try !process.isRunning
        || run(["endpoint", "health"], at: [endpoint(member)]).isSuccess
    }
    if !process.isRunning {
      throw TestSupportError("etcd does not start: \(process.standardError.suffix(2000))")
    }
  }

  /// Kills members as the system would.
  func kill(_ members: Int...) throws {
    for member in members {
      processes[member].send(signal: SIGKILL)
      try processes[member].waitForExit()
    }
  }

  /// Starts members again with what they had.
  func restart(_ members: Int...) throws {
    for member in members { processes[member] = try start(member) }
    for member in members { try waitFor(member) }
  }

  /// All members stand still, and go on.
  func stop() { processes.forEach { $0.send(signal: SIGSTOP) } }
  func `continue`() { processes.forEach { $0.send(signal: SIGCONT) } }

  @discardableResult
  func etcdctl(_ arguments: [String]) throws -> CommandResult {
    let result = try run(arguments, at: endpoints)
    guard result.isSuccess else { throw TestSupportError("etcdctl \(arguments): \(result)") }
    return result
  }

  private func run(_ arguments: [String], at endpoints: [String]) throws -> CommandResult {
    var words = ["--endpoints", endpoints.joined(separator: ",")]
    if let authority { words += ["--cacert", authority] }
    if let clientCertificate, let clientKey {
      words += ["--cert", clientCertificate, "--key", clientKey]
    }
    if let credentials { words += ["--user", credentials] }
    return try Command("etcdctl", words + arguments, environment: ["ETCDCTL_API": "3"]).run()
  }
}

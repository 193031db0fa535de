// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingControl
import WaxwingFleet
import WaxwingTestSupport

/// A fleet of bankds that demand signatures, each with an agent, on an etcd of its own.
final class FleetStage {
  let directory: TemporaryDirectory
  let etcd: Etcd
  private(set) var backend: EtcdBackend
  let keys: FleetKeys
  /// By node.
  var daemons: [String: RunningProcess] = [:]
  var agents: [String: RunningProcess] = [:]
  /// On which the daemons answer HTTP, by node.
  private var ports: [String: UInt16] = [:]
  /// All sets that were published, by name.
  private(set) var published: [String: FleetSet] = [:]

  var path: String { directory.path }

  /// - Parameters:
  ///   - nodes: Their daemons and agents are started; the first one is the canary.
  ///   - etcd: nil: one of its own, of one member.
  init(_ nodes: [String] = ["a", "b"], etcd: Etcd? = nil) throws {
    directory = try TemporaryDirectory()
    self.etcd = try etcd ?? Etcd()
    backend = try Self.backend(self.etcd)
    keys = try FleetKeys(fleet: "bankd")
    try makeKey("key", for: "waxwing-patch,waxwing-fleet")
    for node in nodes {
      try startDaemon(node)
      try startAgent(node)
    }
    for node in nodes {
      try wait("\(node) is there") { try self.report(node)?.daemons == 1 }
    }
  }

  private static func backend(_ etcd: Etcd, user: String? = nil) throws -> EtcdBackend {
    try EtcdBackend(
      EtcdOptions(
        endpoints: etcd.endpoints, user: user, password: user.map { _ in "secret" },
        authority: etcd.authority, certificate: etcd.clientCertificate,
        certificateKey: etcd.clientKey, timeout: 3))
  }

  /// Gives etcd its users and the roles of the guide, all with the password `secret`; this stage is `root`.
  /// - Returns: The environment of a program by its user: `agent` for the node `a`, `controller`, `root`.
  func enableUsers() throws -> (String) -> [String: String] {
    let agent = ["read \(keys.prefix)", "write \(keys.prefix)nodes/a/"]
    let controller =
      ["read \(keys.prefix)"]
      + ["current", "bad", "log", "stages", "controller", "progress"].map {
        "write \(keys.prefix)\($0)"
      }
    var commands = ["user add root:secret"]
    for (role, permissions) in [("agent", agent), ("controller", controller)] {
      commands += [
        "role add \(role)", "user add \(role):secret", "user grant-role \(role) \(role)",
      ]
      commands += permissions.map { "role grant-permission \(role) --prefix=true \($0)" }
    }
    for command in commands + ["auth enable"] {
      try etcd.etcdctl(command.split(separator: " ").map(String.init))
    }
    etcd.credentials = "root:secret"
    backend = try Self.backend(etcd, user: "root")
    try directory.write("secret\n", to: "password")
    try bash("chmod 600 password")
    let file = "\(path)/password"
    return { ["WAXWING_ETCD_USER": $0, "WAXWING_ETCD_PASSWORD_FILE": file] }
  }

  /// A key that agents and daemons know.
  func makeKey(_ name: String, for namespaces: String) throws {
    try bash(
      "ssh-keygen -q -t ed25519 -N '' -C '' -f \(name) && "
        + "echo \"\(name)@ops namespaces=\\\"\(namespaces)\\\" $(cat \(name).pub)\" >> allowed_signers"
    )
  }

  func bash(_ line: String) throws {
    let result = try Command("/bin/bash", ["-c", line], directory: path).run()
    guard result.isSuccess else { throw TestSupportError("\(line): \(result)") }
  }

  func startDaemon(_ node: String, environment: [String: String] = [:]) throws {
    let folder = "\(path)/\(node)"
    try FileManager.default.createDirectory(
      atPath: folder + "/agent", withIntermediateDirectories: true)
    chmod(folder, 0o700)
    let arguments = [
      "--port", "0", "--signed", "--signers", "\(path)/allowed_signers", "--revoked",
      "\(path)/revoked_signers",
    ]
    var command = try Bankd.command(arguments, socketDirectory: folder)
    command.environment["WAXWING_LOG_DIR"] = folder + "/log"
    // Of what crashes nobody reads the report, which takes seconds.
    command.environment["SWIFT_BACKTRACE"] = "enable=no"
    command.environment.merge(environment) { _, new in new }
    let process = try command.start()
    let line = try process.waitForLine(startingWith: "bankd listening on http://127.0.0.1:")
    ports[node] = line.split(whereSeparator: { ": ()".contains($0) }).dropFirst(5).first
      .flatMap { UInt16($0) }
    daemons[node] = process
  }

  func startAgent(
    _ node: String, _ more: [String] = [], labels: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    let folder = "\(path)/\(node)"
    let variables = self.environment.merging(["WAXWING_SOCKET_DIR": folder]) { _, new in new }
    let arguments =
      ["--node", node, "--labels", labels ?? "canary=\(node == "a")", "--state", folder + "/agent"]
      + Self.options(more, else: ["--jitter", "0s", "--report", "1s", "--trial", "60s"])
    agents[node] = try Command(
      try BuiltProduct("waxwing-agent").path, arguments,
      environment: variables.merging(environment) { _, new in new }
    ).start()
  }

  /// Options, and those of `defaults` that are not among them: a program takes each one once.
  private static func options(_ given: [String], else defaults: [String]) -> [String] {
    let pairs = stride(from: 0, to: defaults.count, by: 2).map { defaults[$0..<$0 + 2] }
    return pairs.filter { !given.contains($0[$0.startIndex]) }.flatMap(Array.init) + given
  }

  func startController(
    _ name: String, environment: [String: String] = [:]
  ) throws -> RunningProcess {
    try Command(
      try BuiltProduct("waxwing-fleet").path, ["control", "--name", name, "--every", "1s"],
      environment: self.environment.merging(environment) { _, new in new }
    ).start()
  }

  private var environment: [String: String] {
    var variables = [
      "WAXWING_CONFIG_DIR": path, "WAXWING_ETCD": etcd.endpoints.joined(separator: ","),
      "WAXWING_FLEET": "bankd", "no_proxy": "127.0.0.1",
    ]
    variables["WAXWING_ETCD_CA"] = etcd.authority
    variables["WAXWING_ETCD_CERT"] = etcd.clientCertificate
    variables["WAXWING_ETCD_CERT_KEY"] = etcd.clientKey
    return variables
  }

  /// Runs the fleet's tool.
  @discardableResult
  func fleet(
    _ arguments: String..., environment: [String: String] = [:], fails: Bool = false
  ) throws -> CommandResult {
    try fleet(words: arguments, environment: environment, fails: fails)
  }

  @discardableResult
  func fleet(
    words arguments: [String], environment: [String: String] = [:], fails: Bool = false
  ) throws -> CommandResult {
    let result = try Command(
      try BuiltProduct("waxwing-fleet").path, arguments,
      environment: self.environment.merging(environment) { _, new in new }, directory: path
    ).run()
    guard result.isSuccess != fails else { throw TestSupportError("\(arguments): \(result)") }
    return result
  }

  /// Opens an account at a daemon, and pays into it so many times. What the daemon says to that is no matter.
  func deposit(_ times: Int, on node: String) throws {
    guard let port = ports[node] else { throw TestSupportError("\(node) has no port") }
    var client = try HTTPClient(port: port)
    let opened = try client.request("POST", "/accounts", body: #"{"owner":"Ada"}"#)
    struct Account: Decodable { let id: Int }
    let account = try JSONDecoder().decode(Account.self, from: Data(opened.body.utf8)).id
    for _ in 0..<times {
      _ = try client.request("POST", "/accounts/\(account)/deposit", body: #"{"amount":5}"#)
    }
  }

  /// Publishes a set of one patch whose version and serial number are one number.
  /// - Parameter script: nil: the fee is the number, too.
  func publish(_ number: Int, manifest: String = "", script: String? = nil) throws -> String {
    try writePatch(number, signedBy: "key", manifest: manifest, script: script)
    let result = try fleet("publish", "fees.lua", "--key", "key", "--json")
    struct Answer: Decodable { let set: String, description: FleetSet }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.standardOutput.utf8))
    published[answer.set] = answer.description
    return answer.set
  }

  func writePatch(
    _ number: Int, signedBy key: String?, manifest: String = "", script: String? = nil
  ) throws {
    let fee = """
      local F = class "bankd.FeeSchedule"
      function F:fee(amount) return \(number) end
      """
    try directory.write(
      """
      patch { name = "fees", program = "bankd", version = \(number), serial = \(number)\(manifest) }
      \(script ?? fee)

      """, to: "fees.lua")
    try bash("rm -f fees.lua.sig")
    guard let key else { return }
    try bash("ssh-keygen -q -Y sign -n waxwing-patch -f \(key) < fees.lua > fees.lua.sig")
  }

  /// Starts a rollout: the canary, then all.
  func start(
    _ set: String, _ more: [String] = [], environment: [String: String] = [:]
  ) throws {
    let arguments =
      ["rollout", "start", set]
      + Self.options(more, else: ["--stages", "canary,100%", "--bake", "1s", "--key", "key"])
    let result = try Command(
      try BuiltProduct("waxwing-fleet").path, arguments,
      environment: self.environment.merging(environment) { _, new in new }, directory: path
    ).run()
    guard result.isSuccess else { throw TestSupportError("\(arguments): \(result)") }
  }

  /// What a controller does when all is well.
  func move(to phase: RolloutState.Phase, stage: Int) throws {
    let entry = try #require(try backend.get(keys.key(.state)))
    let state = try DocumentCoder.decode(RolloutState.self, from: entry.value, named: "state")
    let moved = state.changed(to: phase, stage: stage, why: "test", by: "test")
    #expect(
      try backend.compareAndSwap(
        keys.key(.state), revision: entry.revision, DocumentCoder.encode(moved)))
  }

  /// Brings a set to all nodes, for good.
  func settle(_ set: String, on nodes: [String] = ["a", "b"]) throws {
    try start(set)
    try move(to: .done, stage: 1)
    for node in nodes { try waitFor(set, on: node) }
  }

  func report(_ node: String) throws -> NodeReport? { try document(.report(node)) }

  func state() throws -> RolloutState? { try document(.state) }

  func document<Document: Decodable>(_ key: FleetKey) throws -> Document? {
    guard let entry = try backend.get(keys.key(key)) else { return nil }
    return try DocumentCoder.decode(Document.self, from: entry.value, named: key.path)
  }

  /// What the history tells, the oldest first, with the reasons for which stages were held.
  func history() throws -> [String] {
    try DecisionLog(backend: backend, keys: keys).newest(1000).reversed()
      .map { $0.event == "held" ? "held: \($0.why)" : $0.event }
  }

  /// What the daemon itself says is live.
  func live(_ node: String) throws -> [PatchStatus] {
    let client = try ControlClient(path: "\(path)/\(node)/bankd.sock", timeout: 5)
    guard case .success(let patches) = try client.send(ListRequest(), timeout: 10) else {
      throw TestSupportError("no list")
    }
    return patches.filter { $0.state == .active }
  }

  /// The versions that the daemons of both nodes have.
  func liveVersions() throws -> [[Int]] {
    try ["a", "b"].map { try live($0).map(\.version) }
  }

  /// Waits until a daemon is at a set, or at baseline, and its agent knows.
  func waitFor(
    _ set: String?, on node: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let versions = set.flatMap { published[$0] }.map { $0.patches.map(\.version) } ?? []
    try wait("\(node) is at \(set ?? "baseline")") {
      guard try self.live(node).map(\.version) == versions else { return false }
      let report = try self.report(node)
      return report?.set == set && (set != nil || report?.isBaseline == true)
    }
    try checkAll(at: location)
  }

  /// What holds whatever happens: nothing is live that nobody has signed, every node is at a set that somebody
  /// published, and its daemon's audit log tells it.
  func checkAll(at location: SourceLocation = #_sourceLocation) throws {
    for node in daemons.keys.sorted() where daemons[node]?.isRunning == true {
      let live = try live(node)
      #expect(live.allSatisfy { $0.origin?.kind == .signed }, sourceLocation: location)
      let isPublished = published.values.contains {
        $0.patches.map(\.version) == live.map(\.version)
      }
      #expect(live.isEmpty || isPublished, "\(node): \(live)", sourceLocation: location)
      let applied = try applied(on: node)
      #expect(
        applied.allSatisfy { $0.signer == "key@ops" }, "\(node): \(applied)",
        sourceLocation: location)
      #expect(
        live.allSatisfy { patch in applied.contains { $0.version == patch.version } },
        "\(node): \(live), \(applied)", sourceLocation: location)
    }
  }

  /// All patches that were ever applied to a daemon, as its audit log tells.
  func applied(on node: String) throws -> [Audited.Patch] {
    try audited(node).filter { $0.event == "apply" && $0.verdict == "done" }
      .flatMap { $0.patches ?? [] }
  }

  /// A line of a daemon's audit log.
  struct Audited: Decodable {
    struct Patch: Decodable {
      let version: Int?
      let signer: String?
    }

    let event: String
    let verdict: String
    let patches: [Patch]?
  }

  private func audited(_ node: String) throws -> [Audited] {
    let file = "\(path)/\(node)/log/bankd.audit"
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // The last line may be on its way.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try lines.map { try JSONDecoder().decode(Audited.self, from: Data($0.utf8)) }
  }

  /// Waits until something is so. What fails meanwhile is tried again.
  /// - Throws: If that does not happen: what follows would wait in vain as well.
  func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
  ) throws {
    var last = ""
    let isSo = waitUntil(what, seen: "\(last)\n\(logs)", sourceLocation: sourceLocation) {
      do {
        return try condition()
      } catch {
        last = "\(error)"
        return false
      }
    }
    if !isSo { throw TestSupportError("not: \(what)") }
  }

  private var logs: String {
    agents.sorted { $0.key < $1.key }.map { "\($0): \($1.standardError.suffix(1500))" }
      .joined(separator: "\n")
  }
}

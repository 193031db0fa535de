// SPDX-License-Identifier: MIT

/// A bankd of one test's own; the test target has to depend on `bankd`.
package struct Bankd: ~Copyable {
  /// Ends before the process and the directory do.
  private let patched: PatchedBankd?
  /// Killed with the last reference.
  package let process: RunningProcess
  /// Where it answers HTTP.
  package let port: UInt16
  /// Where the daemon puts its socket; nothing of another test's is in it.
  package let directory: TemporaryDirectory

  /// What a bankd logs that takes patches without signatures.
  package static let insecureLine =
    "waxwing warning policy.insecure: INSECURE: anyone who may use the control socket can run any code "
    + "in this process, because patches need no signature\n"

  /// The lines of a log without the time in front.
  package static func untimed(_ log: String) -> String {
    log.replacing(
      #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (?=waxwing )/#.anchorsMatchLineEndings(), with: "")
  }

  /// What it has logged without times, but for the patch that all tests are run under (`PatchedBankd`).
  package var log: String {
    let lines = Self.untimed(process.standardError).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard PatchedBankd.isActive else { return lines.joined(separator: "\n") }
    return lines.filter { !$0.contains(" patch.applied: bankd-pass-through is live ") }
      .joined(separator: "\n")
  }

  /// Starts it and waits until it answers.
  ///
  /// - Parameters:
  ///   - isSigned: Whether it takes signed patches only. Who may sign is in `allowed_signers`, whose
  ///     keys are revoked in `revoked_signers`, both in its directory.
  ///   - environment: Added to its environment.
  package init(isSigned: Bool = false, environment: [String: String] = [:]) throws {
    let directory = try TemporaryDirectory()
    var arguments = ["--port", "0"]
    if isSigned {
      arguments += ["--signed", "--signers", "\(directory.path)/allowed_signers"]
      arguments += ["--revoked", "\(directory.path)/revoked_signers"]
    }
    var command = try Self.command(arguments, socketDirectory: directory.path)
    command.environment.merge(environment) { _, added in added }
    let process = try command.start()
    let line = try process.waitForLine(startingWith: "bankd listening on http://127.0.0.1:")
    let words = line.split { ": ()".contains($0) }
    guard words.count == 8, words[7] == "\(process.pid)", let port = UInt16(words[5]) else {
      throw TestSupportError("bankd says neither port nor pid: \(line)")
    }
    let patched = isSigned ? nil : try PatchedBankd(process, in: directory.path)
    self.process = process
    self.port = port
    self.patched = patched
    self.directory = directory
  }

  /// A bankd that would put its socket into this directory. It keeps no audit log, and nothing that
  /// this system's operator has configured holds for it.
  package static func command(_ arguments: [String], socketDirectory: String) throws -> Command {
    Command(
      try BuiltProduct("bankd").path, arguments,
      environment: [
        "WAXWING_SOCKET_DIR": socketDirectory, "WAXWING_STATE_DIR": "\(socketDirectory)/state",
        "WAXWING_CONFIG_DIR": socketDirectory, "WAXWING_LOG_DIR": "off",
      ])
  }

  /// A connection to it.
  package func connect() throws -> HTTPClient {
    try HTTPClient(port: port)
  }

  /// Makes one request on a connection of its own.
  ///
  /// - Returns: Status and body, as in `200 {"status":"ok"}`.
  package func ask(_ method: String, _ path: String, _ body: String? = nil) throws -> String {
    var client = try connect()
    return try client.request(method, path, body: body).summary
  }

  /// Makes requests, each written as `METHOD PATH BODY`.
  ///
  /// - Returns: The requests with their answers, to be compared whole.
  package func transcript(_ requests: [String]) throws -> String {
    var lines: [String] = []
    for request in requests {
      let parts = request.split(separator: " ", maxSplits: 2).map(String.init)
      lines.append(request)
      lines.append("  " + (try ask(parts[0], parts[1], parts.count > 2 ? parts[2] : nil)))
    }
    return lines.joined(separator: "\n")
  }
}

extension HTTPAnswer {
  /// Status and body without its line end.
  package var summary: String {
    "\(status) \(body.hasSuffix("\n") ? String(body.dropLast()) : body)"
  }
}

// SPDX-License-Identifier: MIT

import CWaxwingConsole
import Synchronization
package import WaxwingFleet

/// Answers requests. The server's thread asks; the thread that looks at the fleet gives it the newest document.
package final class ConsoleRoutes: Sendable {
  /// The request of a page to halt the fleet.
  struct HaltOrder: Codable {
    let reason: String
    let key: String
  }

  private static let reasonLimit = 200
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
  ]

  private let access: ConsoleAccess
  private let halt: @Sendable (String) throws(FleetError) -> Void
  private let document = Mutex<[UInt8]>(Array("{}".utf8))

  /// - Parameter by: Who halts the fleet, for its history.
  package convenience init(
    _ access: ConsoleAccess, backend: any FleetBackend, keys: FleetKeys, by: String
  ) {
    self.init(access) { reason throws(FleetError) in
      try backend.put(keys.key(.halt), DocumentCoder.encode(Halt(why: reason, by: by)))
      try DecisionLog(backend: backend, keys: keys).append(
        FleetLogEntry("halted", by: by, why: reason))
    }
  }

  /// - Parameter halt: Halts the fleet, for this reason.
  init(_ access: ConsoleAccess, halt: @escaping @Sendable (String) throws(FleetError) -> Void) {
    self.access = access
    self.halt = halt
  }

  /// Sets the document that pages show from now on.
  package func show(_ document: ConsoleDocument) {
    var document = document
    document.mayHalt = access.key != nil
    document.proof = access.proof
    let bytes = DocumentCoder.encode(document)
    self.document.withLock { $0 = bytes }
  }

  func answer(_ request: ConsoleRequest) -> ConsoleAnswer {
    if let refusal = access.refusal(request) { return refusal }
    var answer = answerTrusted(request)
    answer.isTrusted = true
    return answer
  }

  private func answerTrusted(_ request: ConsoleRequest) -> ConsoleAnswer {
    switch (request.method, request.path) {
    case ("GET", "/") where request.token != nil: return entrance
    case ("GET", "/"): return file("index.html")
    case ("GET", "/api/fleet"):
      return ConsoleAnswer(200, "application/json", document.withLock { $0 })
    case ("GET", let path): return file(String(path.dropFirst()))
    case ("POST", "/api/halt"): return answerHalt(request)
    default: return .text(404, "there is no \(request.path)")
    }
  }

  /// The token moves from the address, which stays in histories, into a cookie.
  private var entrance: ConsoleAnswer {
    var answer = ConsoleAnswer.text(303, "see /")
    answer.cookie =
      "\(WAX_CONSOLE_COOKIE)-\(access.port)=\(access.token); Path=/; HttpOnly; SameSite=Strict"
    answer.location = "/"
    return answer
  }

  private func file(_ name: String) -> ConsoleAnswer {
    var size = 0
    guard let bytes = unsafe wax_console_file(name, &size),
      let type = Self.types[String(name.split(separator: ".").last ?? "")]
    else { return .text(404, "there is no /\(name)") }
    return ConsoleAnswer(200, type, unsafe Array(UnsafeBufferPointer(start: bytes, count: size)))
  }

  private func answerHalt(_ request: ConsoleRequest) -> ConsoleAnswer {
    guard
      let order = try? DocumentCoder.decode(HaltOrder.self, from: request.body, named: "the order"),
      !order.reason.isEmpty, order.reason.count <= Self.reasonLimit
    else { return .text(400, "a halt needs a reason of at most \(Self.reasonLimit) characters") }
    guard access.isKey(order.key) else { return .text(403, "that is not the console's key") }
    do throws(FleetError) {
      try halt(order.reason)
      return .text(200, "halted")
    } catch {
      let status: UInt32 = error.code == .denied ? 403 : error.code == .unavailable ? 503 : 500
      return .text(status, error.message)
    }
  }
}

// SPDX-License-Identifier: MIT

import CWaxwingConsole
import Glibc
import Synchronization
package import WaxwingFleet
import WaxwingSystem

/// The web server on the loopback interface. It ends with the object.
@safe package final class ConsoleServer {
  /// Passes requests to the routes; nil until the port is known.
  private final class Responder: Sendable {
    let routes = Mutex<ConsoleRoutes?>(nil)
  }

  private let responder = Responder()
  private let server: OpaquePointer

  /// The port it listens on.
  package var port: UInt16 { unsafe wax_console_port(server) }

  /// - Parameter port: 0 stands for any that is free.
  package init(port: UInt16) throws(FleetError) {
    let context = unsafe Unmanaged.passUnretained(responder).toOpaque()
    let handler: wax_console_handler = { context, request, answer in
      guard let context = unsafe context, let request = unsafe request else { return }
      let responder = unsafe Unmanaged<Responder>.fromOpaque(context).takeUnretainedValue()
      guard let routes = responder.routes.withLock({ $0 }) else { return }
      let made = routes.answer(unsafe ConsoleRequest(unsafe request.pointee))
      if made.isTrusted { unsafe wax_console_trust(answer) }
      unsafe wax_console_reply(
        answer, made.status, made.type, made.body, made.body.count, made.cookie, made.location)
    }
    guard let server = unsafe wax_console_start(port, handler, context) else {
      throw FleetError(
        .invalid, "port \(port) cannot be listened on: \(ErrorNumber(value: errno).text)",
        remedy: "choose another one with --port, or leave it out for any that is free")
    }
    unsafe self.server = server
  }

  /// Begins to answer requests.
  package func serve(_ routes: ConsoleRoutes) { responder.routes.withLock { $0 = routes } }

  deinit { unsafe wax_console_stop(server) }
}

extension ConsoleRequest {
  fileprivate init(_ request: wax_console_request) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String? {
      unsafe pointer.map { unsafe String(cString: $0) }
    }
    method = unsafe text(request.method) ?? ""
    path = unsafe text(request.path) ?? ""
    host = unsafe text(request.host)
    origin = unsafe text(request.origin)
    fetchSite = unsafe text(request.fetch_site)
    contentType = unsafe text(request.content_type)
    cookie = unsafe text(request.cookie)
    token = unsafe text(request.token)
    proof = unsafe text(request.proof)
    body = unsafe Array(UnsafeBufferPointer(start: request.body, count: request.body_size))
  }
}

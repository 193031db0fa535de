// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingTestSupport

/// A running control server in a folder of its own.
struct TestServer {
  let folder: TemporaryFolder
  let server: ControlServer

  var path: String { server.path }

  static let info = DaemonInfo(program: "bankd", pid: 4711, version: "0.1.0", buildID: "ab12")

  init(
    limits: ControlServerLimits = ControlServerLimits(),
    handler: @escaping ControlServer.Handler = TestServer.answer
  ) throws {
    folder = try TemporaryFolder()
    server = ControlServer(path: folder.path + "/bankd.sock", limits: limits, handler: handler)
    try server.start()
  }

  /// Answers each request with what shows that it arrived.
  static func answer(_ request: ControlRequest) -> ControlResponse {
    switch request {
    case .hello: .hello(info)
    case .revert(let name, _, _): .failure(ControlFailure(.notFound, message: "no patch '\(name)'"))
    case .list: .list([])
    default: .failure(ControlFailure(.unsupported, message: request.verb))
    }
  }

  /// Whether a well-behaved client gets its answer.
  func serves() -> Bool {
    guard let client = try? ControlClient(path: path, timeout: 10) else { return false }
    return (try? client.send(.hello, timeout: 10)) == .hello(Self.info)
  }
}

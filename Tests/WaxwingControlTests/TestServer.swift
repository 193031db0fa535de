// SPDX-License-Identifier: MIT

import ByteTrials
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
    handler: @escaping RequestHandler = TestServer.answer
  ) throws {
    folder = try TemporaryFolder()
    server = ControlServer(path: folder.path + "/bankd.sock", limits: limits, handler: handler)
    try server.start()
  }

  /// Answers each request with what shows that it arrived.
  static func answer(_ request: any ControlRequest) -> ControlResponse {
    switch request {
    case is HelloRequest: .to(HelloRequest.self, info)
    case let revert as RevertRequest:
      .failure(ControlFailure(.notFound, message: "no patch '\(revert.name)'"))
    case is ListRequest: .to(ListRequest.self, [])
    default: .failure(ControlFailure(.unsupported, message: type(of: request).verb))
    }
  }

  /// Whether a well-behaved client gets its answer.
  func serves() -> Bool {
    guard let client = try? ControlClient(path: path, timeout: 60) else { return false }
    return (try? client.send(HelloRequest(), timeout: 60)) == .success(Self.info)
  }
}

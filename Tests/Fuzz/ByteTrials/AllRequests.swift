// SPDX-License-Identifier: MIT

package import WaxwingControl

/// Every kind of request that there is.
package let allRequests: [any ControlRequest.Type] = [
  HelloRequest.self, ListRequest.self, StatusRequest.self, ObjectsRequest.self, ExplainRequest.self,
  VersionsRequest.self, PointsRequest.self, AuditRequest.self, MetricsRequest.self, LogRequest.self,
  ApplyRequest.self, CheckRequest.self, RevertRequest.self, RestoreRequest.self, ReloadRequest.self,
  ConfirmRequest.self, BootRequest.self, MeasureRequest.self, CallRequest.self, ReceiveRequest.self,
  ReplyRequest.self, TraceRequest.self, TraceCallsRequest.self, ShadowRequest.self,
  ShadowCallsRequest.self, RecordRequest.self, RecordsRequest.self, ReplayRequest.self,
  InstancesRequest.self, ShellRequest.self, DebugRequest.self,
]

/// Answers requests of any kind.
package typealias RequestHandler = @Sendable (any ControlRequest) -> ControlResponse

/// The same for one who wants to know who asks.
package typealias PeerHandler = @Sendable (any ControlRequest, ControlPeer) -> ControlResponse

extension ControlAnswers {
  /// All requests are answered by one function.
  package init(_ handler: @escaping PeerHandler) {
    self.init()
    for kind in allRequests { on(any: kind, handler) }
  }

  private mutating func on<Request: ControlRequest>(
    any kind: Request.Type, _ handler: @escaping PeerHandler
  ) {
    on(kind, responding: { request, peer in handler(request, peer) })
  }
}

extension ControlServer {
  /// Creates a server for root and this process's user.
  package convenience init(
    path: String, limits: ControlServerLimits = ControlServerLimits(),
    handler: @escaping RequestHandler
  ) {
    self.init(
      path: path, limits: limits, answers: ControlAnswers { request, _ in handler(request) })
  }
}

extension ControlResponse {
  /// The response to a kind of request.
  package static func to<Request: ControlRequest>(
    _ kind: Request.Type, _ response: Request.Response
  ) -> ControlResponse {
    .success(response, result: Request.result)
  }
}

// SPDX-License-Identifier: MIT

/// A kind of request, and what answers it.
struct Route: Sendable {
  /// Gets the identifier in the path, or 0 where the pattern has none.
  typealias ImmediateAction = @Sendable (BankAPI, HTTPRequest, Int) throws -> HTTPResponse
  /// Likewise.
  typealias WaitingAction = @Sendable (BankAPI, HTTPRequest, Int) async throws -> HTTPResponse

  let method: HTTPMethod
  let pattern: PathPattern
  let action: Action

  /// What is answered on the connection's own thread.
  init(_ method: HTTPMethod, _ pattern: PathPattern, action: @escaping ImmediateAction) {
    self.method = method
    self.pattern = pattern
    self.action = .immediate(action)
  }

  /// What has to wait for something, and is answered by a task.
  init(waiting method: HTTPMethod, _ pattern: PathPattern, action: @escaping WaitingAction) {
    self.method = method
    self.pattern = pattern
    self.action = .waiting(action)
  }
}

extension Route {
  /// How a route answers.
  enum Action: Sendable {
    case immediate(ImmediateAction)
    case waiting(WaitingAction)
  }
}

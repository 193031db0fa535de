// SPDX-License-Identifier: MIT

/// A kind of request, and what answers it.
struct Route: Sendable {
  /// Gets the identifier in the path, or 0 where the pattern has none.
  typealias Action = @Sendable (BankAPI, HTTPRequest, Int) throws -> HTTPResponse

  let method: HTTPMethod
  let pattern: PathPattern
  let action: Action

  init(_ method: HTTPMethod, _ pattern: PathPattern, action: @escaping Action) {
    self.method = method
    self.pattern = pattern
    self.action = action
  }
}

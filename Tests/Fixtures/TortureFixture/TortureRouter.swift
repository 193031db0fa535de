// SPDX-License-Identifier: MIT

/// Keeps closures of another module, which are called by their values only.
public final class TortureRouter: @unchecked Sendable {
  public typealias Rule = @Sendable (Int) -> Int
  public typealias Route = @Sendable (Int) async throws -> Int

  // Set before there are threads that read them.
  public private(set) var rule: Rule = { _ in -1 }
  public private(set) var route: Route = { _ in -1 }

  public init() {}

  public func on(rule: @escaping Rule) { self.rule = rule }

  public func on(route: @escaping Route) { self.route = route }
}

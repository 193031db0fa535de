// SPDX-License-Identifier: MIT

/// The functions that are patched. Up to `later` they have replacement entries, `route` has an async function pointer, and
/// those behind it are entered by their code.
public enum TortureKind: Int, CaseIterable, Sendable {
  case number, text, token, risky, apply, generic, descend, nested, blocks, late, lamp, later
  case route, plain, holds, rule

  /// Whether it may be called in a task only.
  public var isAsync: Bool { self == .later || self == .route }

  /// Calls of these stay in the original until they are let go.
  public static let waiting: [TortureKind] = [.blocks, .holds]

  /// The type or module that has the function, as the engine's lists have it.
  public var owner: String {
    switch self {
    case .late: "TortureFixture"
    case .plain, .holds: "TorturePlain.TortureShop"
    case .route, .rule: "TorturePlain"
    default: "TortureFixture.TortureSubject"
    }
  }

  /// As the engine's lists have it.
  public var selector: String {
    switch self {
    case .apply: "apply(_:_:)"
    case .late: "tortureLate(_:)"
    case .rule: "closure #1 in tortureRoutes(_:_:)"
    case .route: "closure #2 in tortureRoutes(_:_:)"
    default: "\(self)(_:)"
    }
  }
}

// SPDX-License-Identifier: MIT

/// The functions that are patched.
public enum TortureKind: Int, CaseIterable, Sendable {
  case number, text, token, risky, apply, generic, descend, nested, blocks, late, lamp

  /// As the engine's lists have it.
  public var selector: String {
    switch self {
    case .apply: "apply(_:_:)"
    case .late: "tortureLate(_:)"
    default: "\(self)(_:)"
    }
  }
}

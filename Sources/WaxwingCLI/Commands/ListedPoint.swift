// SPDX-License-Identifier: MIT

/// A patch point as `waxwing points` shows it.
struct ListedPoint: Encodable {
  /// What a patch writes: `Bank.Account.withdraw(_:memo:)`.
  let selector: String
  /// The declaration in Swift's words, with types.
  let declaration: String

  /// Whether the selector contains the text, whatever its case.
  func matches(_ pattern: String?) -> Bool {
    guard let pattern, !pattern.isEmpty else { return true }
    return selector.lowercased().contains(pattern.lowercased())
  }
}

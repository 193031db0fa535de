// SPDX-License-Identifier: MIT

/// The calls that a patch is to take part in.
package struct SelectionPayload: Hashable, Sendable, Codable {
  /// The share of the calls that are selected, above 0 and at most 1; nil for all.
  package var share: Double?
  /// A Lua expression over `self` and `args`: calls for which it has the same value are chosen alike.
  package var key: String?
  /// A Lua expression over `self` and `args`: only calls for which it is true.
  package var condition: String?

  package init(share: Double? = nil, key: String? = nil, condition: String? = nil) {
    self.share = share
    self.key = key
    self.condition = condition
  }

  /// Whether code of the client's runs in the program.
  package var hasExpressions: Bool { key != nil || condition != nil }
}

// SPDX-License-Identifier: MIT

/// Which calls a patch is to take part in.
package struct SelectionPayload: Hashable, Sendable, Codable {
  /// More than 0, and 1 at most: the part of the calls; nil: all.
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

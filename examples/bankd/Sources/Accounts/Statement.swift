// SPDX-License-Identifier: MIT

/// An account's books at one moment.
struct Statement: Encodable {
  let account: Int
  let title: String
  /// Cents.
  let balance: Int
  /// How many entries there are; `entries` holds the latest of them.
  let entryCount: Int
  let entries: [Entry]
  let totals: [String: Int]
  /// Cents.
  let largestWithdrawal: Int?
  let recentMemos: [String]
}

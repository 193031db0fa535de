// SPDX-License-Identifier: MIT

/// One line of an account's books.
struct Entry: Encodable {
  /// Counts from 1 within its account.
  let sequence: Int
  let kind: EntryKind
  /// Cents; negative when money went out.
  let amount: Int
  /// The balance after this entry, in cents.
  let balance: Int
  let memo: String
}

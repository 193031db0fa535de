// SPDX-License-Identifier: MIT

/// The end of the ledger.
struct LedgerView: Encodable {
  /// How many entries there were in all.
  let count: Int
  /// Newest last.
  let entries: [LedgerEntry]
}

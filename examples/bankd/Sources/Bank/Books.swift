// SPDX-License-Identifier: MIT

/// What the bank itself remembers; the accounts remember the rest.
struct Books {
  var accounts: [Int: Account] = [:]

  private var lastAccountID = 1000
  private var lastTransferID = 0

  mutating func nextAccountID() -> Int {
    lastAccountID += 1
    return lastAccountID
  }

  mutating func nextTransferID() -> Int {
    lastTransferID += 1
    return lastTransferID
  }
}

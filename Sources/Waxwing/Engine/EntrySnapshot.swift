// SPDX-License-Identifier: MIT

import WaxwingInterception

/// A replacement entry and the word it held before the first patch.
struct EntrySnapshot: Sendable {
  let point: InterceptionPoint
  /// An address; 0: none.
  let word: UInt
  /// `Bank.Account.withdraw(_:memo:)`
  let function: String

  init(_ point: InterceptionPoint, function: String) {
    self.point = point
    self.function = function
    word = UInt(bitPattern: point.entry.pointee)
  }

  /// For the user, should it not hold that word although it should.
  var difference: String { "the entry of \(function) does not hold its baseline word" }

  var isAtBaseline: Bool { UInt(bitPattern: point.entry.pointee) == word }
}

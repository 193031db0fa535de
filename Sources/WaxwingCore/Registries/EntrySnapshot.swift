// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

/// An entry and the word it held before the first patch.
struct EntrySnapshot: Sendable {
  let point: InterceptionPoint
  let word: UInt
  /// Of the first override's target; nil: it is for all objects.
  private let className: String?
  private let overridden: RunningFunction

  /// Of the first override there.
  init(_ override: Override) {
    point = override.point
    className = override.target?.luaClass.name
    overridden = override.function
    word = point.word
  }

  /// `Bank.Account.withdraw(_:memo:)`
  var function: String { overridden.qualifiedName(in: className) }

  /// For the user, should it not hold that word although it should.
  var difference: String { "the entry of \(function) does not hold its baseline word" }

  var isAtBaseline: Bool { point.leads(to: word) }
}

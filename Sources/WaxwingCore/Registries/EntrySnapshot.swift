// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

/// An entry and the word it held before the first patch.
struct EntrySnapshot: Sendable {
  let point: InterceptionPoint
  let word: UInt
  /// The class of the first override's target; nil if it is for all objects.
  private let className: String?
  private let overridden: RunningFunction

  /// Creates a snapshot for the first override at its point.
  init(_ override: Override) {
    point = override.point
    className = override.target?.luaClass.name
    overridden = override.function
    word = point.word
  }

  /// The name of the function, such as `Bank.Account.withdraw(_:memo:)`.
  var function: String { overridden.qualifiedName(in: className) }

  /// A sentence for the user, if the entry does not hold its baseline word although it should.
  var difference: String { "the entry of \(function) does not hold its baseline word" }

  var isAtBaseline: Bool { point.leads(to: word) }
}

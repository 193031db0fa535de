// SPDX-License-Identifier: MIT

import WaxwingControl

/// What lua/tools/record.lua replies, as text: calls, each of parts.
enum RecordText {
  private static let callEnd: Character = "\u{1e}"
  private static let partEnd: Character = "\u{1f}"

  /// - Parameter selectors: Of the functions, in the order by which calls name them, from 1.
  static func calls(_ text: String, _ name: String, _ selectors: [String]) -> RecordedCalls {
    var lines = text.split(separator: callEnd, omittingEmptySubsequences: true)[...]
    let forgotten = lines.popFirst().flatMap { Int($0) } ?? 0
    return RecordedCalls(
      name: name, calls: lines.compactMap { call($0, selectors) }, forgotten: forgotten)
  }

  private static func call(_ line: Substring, _ selectors: [String]) -> RecordedCall? {
    let parts = line.split(separator: partEnd, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 9, let number = Int(parts[0]), let index = Int(parts[1]),
      let thread = Int(parts[2]), let began = Double(parts[3]), let cost = Double(parts[4]),
      selectors.indices.contains(index - 1)
    else { return nil }
    return RecordedCall(
      number: number, selector: selectors[index - 1], thread: thread, began: began,
      receiver: parts[6], arguments: parts[7],
      outcome: RecordedOutcome(succeeded: parts[5] == "ok", text: parts[8], cost: cost))
  }

  /// What came of a call that was made again.
  static func outcome(_ text: String) -> RecordedOutcome? {
    let parts = text.split(separator: partEnd, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let cost = Double(parts[0]) else { return nil }
    return RecordedOutcome(succeeded: parts[1] == "ok", text: parts[2], cost: cost)
  }
}

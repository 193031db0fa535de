// SPDX-License-Identifier: MIT

import WaxwingControl

/// What lua/tools/trace.lua replies, as text: its calls or counts, each of parts.
enum TraceText {
  private static let callEnd: Character = "\u{1e}"
  private static let partEnd: Character = "\u{1f}"

  static func batch(_ text: String) -> TraceBatch {
    var batch = TraceBatch()
    var lines = text.split(separator: callEnd, omittingEmptySubsequences: true)[...]
    batch.dropped = lines.popFirst().flatMap { Int($0) } ?? 0
    for line in lines {
      let parts = line.split(separator: partEnd, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 11 {
        if let call = call(parts) { batch.calls.append(call) }
      }
    }
    return batch
  }

  private static func call(_ parts: [String]) -> TracedCall? {
    guard let point = Int(parts[0]), let level = Int(parts[1]), let thread = Int(parts[2]),
      let began = Double(parts[3]), let cost = Double(parts[4])
    else { return nil }
    return TracedCall(
      point: point, level: level, thread: thread, began: began, cost: cost,
      succeeded: parts[5] == "ok", receiver: parts[6], arguments: parts[7], outcome: parts[8],
      shown: parts[9],
      callers: parts[10].isEmpty
        ? nil : parts[10].split(separator: " ").compactMap { UInt($0, radix: 16) })
  }

  /// How many calls of each function have failed, by its number: what it replies where calls are counted.
  static func errors(_ text: String) -> [Int: Int] {
    let numbers = text.split(separator: callEnd).dropFirst().compactMap { line -> (Int, Int)? in
      let parts = line.split(separator: partEnd).compactMap { Int($0) }
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(numbers, uniquingKeysWith: +)
  }
}

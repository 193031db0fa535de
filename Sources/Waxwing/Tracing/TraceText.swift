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
      } else if let count = count(parts) {
        batch.counts.append(count)
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

  private static func count(_ parts: [String]) -> TraceCount? {
    guard parts.count == 6, let point = Int(parts[0]), let calls = Int(parts[1]),
      let errors = Int(parts[2]), let sum = Double(parts[3]), let longest = Double(parts[4])
    else { return nil }
    let buckets = parts[5].split(separator: ",").compactMap { pair -> (Int, Int)? in
      let numbers = pair.split(separator: ":").compactMap { Int($0) }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
    return TraceCount(
      point: point, calls: calls, errors: errors, sum: sum, longest: longest,
      buckets: Dictionary(buckets) { $0 + $1 })
  }
}

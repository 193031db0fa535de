// SPDX-License-Identifier: MIT

import WaxwingControl

/// What lua/waxwing/selection.lua replies for a shadow, as text: counts and calls, each of parts.
enum ShadowText {
  private static let lineEnd: Character = "\u{1e}"
  private static let partEnd: Character = "\u{1f}"

  static func batch(_ text: String) -> ShadowBatch {
    var batch = ShadowBatch()
    var lines = text.split(separator: lineEnd, omittingEmptySubsequences: true)[...]
    batch.dropped = lines.popFirst().flatMap { Int($0) } ?? 0
    for line in lines {
      let parts = line.split(separator: partEnd, omittingEmptySubsequences: false).map(String.init)
      if let call = call(parts) { batch.calls.append(call) }
      if let count = count(parts) { batch.functions.append(count) }
    }
    return batch
  }

  private static func call(_ parts: [String]) -> ShadowCall? {
    guard parts.count == 11, let ended = Double(parts[2]), let original = Double(parts[9]),
      let patch = Double(parts[10])
    else { return nil }
    let isCompared = parts[0] != "uncompared"
    return ShadowCall(
      function: parts[1], ended: ended, receiver: parts[3], arguments: parts[4],
      original: .init(succeeded: parts[5] == "ok", text: parts[6]),
      patch: isCompared ? .init(succeeded: parts[7] == "ok", text: parts[8]) : nil,
      reason: isCompared ? nil : parts[8], originalCost: original, patchCost: patch)
  }

  private static func count(_ parts: [String]) -> ShadowCount? {
    guard parts.count == 7, let same = Int(parts[1]), let different = Int(parts[2]),
      let uncompared = Int(parts[3]), let failed = Int(parts[4]), let original = Double(parts[5]),
      let patch = Double(parts[6])
    else { return nil }
    return ShadowCount(
      function: parts[0], same: same, different: different, uncompared: uncompared, failed: failed,
      originalSeconds: original, patchSeconds: patch)
  }
}

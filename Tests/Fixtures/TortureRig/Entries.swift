// SPDX-License-Identifier: MIT

import TortureProbe

/// The replacement entries of the functions that are patched, as they are in memory.
enum Entries {
  /// Read before the first patch.
  private static let baseline = words

  private static var words: [UInt] {
    (0..<torture_entry_count()).map { UInt(bitPattern: torture_entry_word($0)) }
  }

  /// - Precondition: No patch is live, or this has been called before.
  static func remember() {
    _ = baseline
  }

  /// - Throws: `Violation`
  static func requireBaseline() throws {
    for (index, (now, before)) in zip(words, baseline).enumerated() where now != before {
      throw Violation(
        "the entry of \(String(cString: torture_entry_name(index))) holds "
          + "\(String(now, radix: 16)), not \(String(before, radix: 16)) as before")
    }
  }
}

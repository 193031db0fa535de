// SPDX-License-Identifier: MIT

import TortureFixture
import TortureProbe

/// What calls of the functions that are patched go by, as it is in memory: replacement entries, an async function pointer,
/// and the beginnings of functions' code.
struct Entries: Sendable {
  private let targets: Targets
  private let baseline: [Word]

  private struct Word: Equatable {
    let name: String
    let value: UInt
  }

  /// - Precondition: No patch is live.
  init(_ targets: Targets) {
    self.targets = targets
    baseline = Self.words(targets)
  }

  private static func words(_ targets: Targets) -> [Word] {
    let entries = (0..<torture_entry_count()).map {
      Word(
        name: "entry of \(String(cString: torture_entry_name($0)))",
        value: UInt(bitPattern: torture_entry_word($0)))
    }
    return targets.places.reduce(into: entries) { words, place in
      // A jump takes five bytes of code.
      for offset in [0, 8] as [UInt] where offset == 0 || place.kind != .route {
        words.append(
          Word(
            name: "word at byte \(offset) of \(place.kind)",
            value: UInt(torture_word_at(place.address + offset))))
      }
    }
  }

  /// - Throws: `Violation`
  func requireBaseline() throws {
    for (now, before) in zip(Self.words(targets), baseline) where now != before {
      throw Violation(
        "the \(now.name) is \(String(now.value, radix: 16)), "
          + "not \(String(before.value, radix: 16)) as before")
    }
  }
}

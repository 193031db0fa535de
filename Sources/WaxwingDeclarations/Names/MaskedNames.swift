// SPDX-License-Identifier: MIT

internal import Synchronization

/// Names of properties, parameters and functions whose values are never shown: those that the host
/// lists.
package enum MaskedNames {
  /// The text in place of a value.
  package static let text = "•••"

  private static let patterns = Mutex<[GlobPattern]>([])

  /// Takes names with stars, `*token*`; the case of ASCII letters does not matter.
  package static func use(_ names: [String]) {
    let made = Set(names).map { GlobPattern(lowercased($0)) }
    patterns.withLock { $0 = made }
  }

  /// Whether the values of properties, parameters and functions of this name are masked.
  package static func contains(_ name: String) -> Bool {
    let patterns = patterns.withLock { $0 }
    if patterns.isEmpty { return false }
    let bytes = lowercased(name)
    return patterns.contains { $0.matches(bytes) }
  }

  private static func lowercased(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// OpenSSH's lists of patterns, `*@ops,!mallory@ops` (ssh_config(5), PATTERNS).
enum NameList {
  /// A pattern of more bytes makes the whole list match nothing, as in OpenSSH.
  private static let limit = 1022

  /// Whether a name is in the list and not excluded by it.
  static func matches(_ name: some Collection<UInt8>, list: [UInt8]) -> Bool {
    let name = Array(name)
    var isIn = false
    for part in parts(of: list) {
      guard part.pattern.count <= limit else { return false }
      guard GlobPattern(part.pattern, hasQuestionMarks: true).matches(name) else { continue }
      if part.isNegated { return false }
      isIn = true
    }
    return isIn
  }

  /// The patterns; an empty one at the very end does not count.
  static func parts(of list: [UInt8]) -> [(isNegated: Bool, pattern: [UInt8])] {
    var parts = list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.map { part in
      part.first == UInt8(ascii: "!") ? (true, Array(part.dropFirst())) : (false, Array(part))
    }
  }
}

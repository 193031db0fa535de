// SPDX-License-Identifier: MIT

/// OpenSSH's lists of patterns, `*@ops,!mallory@ops` (ssh_config(5), PATTERNS).
enum NamePattern {
  /// A pattern of more bytes makes the whole list match nothing, as in OpenSSH.
  private static let limit = 1022

  /// Whether a name is in the list and not excluded by it.
  static func matches(_ name: some Collection<UInt8>, list: [UInt8]) -> Bool {
    let name = Array(name)
    var isIn = false
    for part in parts(of: list) {
      guard part.pattern.count <= limit else { return false }
      guard matches(name, part.pattern) else { continue }
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

  /// Goes back only to the last star, so the work is at most the product of both lengths.
  private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, part) = (0, 0)
    var star: (place: Int, part: Int)?
    while place < name.count {
      if part < pattern.count, pattern[part] == UInt8(ascii: "*") {
        star = (place, part)
        part += 1
      } else if part < pattern.count,
        pattern[part] == UInt8(ascii: "?") || pattern[part] == name[place]
      {
        (place, part) = (place + 1, part + 1)
      } else if let last = star {
        star = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part + 1)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

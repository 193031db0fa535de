// SPDX-License-Identifier: MIT

/// A path in which one segment may be an identifier: `/accounts/:id/statement`.
struct PathPattern: ExpressibleByStringLiteral {
  private let segments: [Segment]

  init(stringLiteral text: String) {
    segments = text.split(separator: "/").map { $0 == ":id" ? .identifier : .literal(String($0)) }
  }

  /// - Returns: The path's identifier, 0 if the pattern has none; nil if the path does not match.
  func identifier(in path: String) -> Int? {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == segments.count else { return nil }
    var identifier = 0
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .literal(let text):
        guard part == text else { return nil }
      case .identifier:
        guard let number = Int(part), number > 0 else { return nil }
        identifier = number
      }
    }
    return identifier
  }
}

extension PathPattern {
  private enum Segment {
    case literal(String)
    case identifier
  }
}

// SPDX-License-Identifier: MIT

/// A type of the fixture's parameters, results and fields.
indirect enum EchoType: Hashable, Sendable {
  /// A type with a name, and the expression that draws a value of it.
  case plain(String, draw: String, traits: Traits = [])
  case optional(EchoType)
  case array(EchoType)
  case set(EchoType)
  case dictionary(EchoType, EchoType)
  case generic(Generic, EchoType, EchoType)
  case tuple([Element])

  struct Element: Hashable, Sendable {
    let label: String?
    let type: EchoType
  }

  struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Values travel by address, whatever their size.
    static let isAddressOnly = Traits(rawValue: 1)
    /// Values take two words at most.
    static let isSmall = Traits(rawValue: 2)
  }

  enum Generic: String {
    case pair = "Pair"
    case either = "Either"
  }

  /// As in Swift's source.
  var spelling: String {
    switch self {
    case .plain(let name, _, _): name
    case .optional(let wrapped): "\(wrapped.wrappedSpelling)?"
    case .array(let element): "[\(element.spelling)]"
    case .set(let element): "Set<\(element.spelling)>"
    case .dictionary(let key, let value): "[\(key.spelling): \(value.spelling)]"
    case .generic(let type, let first, let second):
      "\(type.rawValue)<\(first.spelling), \(second.spelling)>"
    case .tuple(let elements):
      "("
        + elements.map { ($0.label.map { "\($0): " } ?? "") + $0.type.spelling }
        .joined(separator: ", ") + ")"
    }
  }

  private var wrappedSpelling: String {
    spelling.hasPrefix("any ") ? "(\(spelling))" : spelling
  }

  /// Whether values travel by address, whatever their size.
  var isAddressOnly: Bool {
    switch self {
    case .plain(_, _, let traits): traits.contains(.isAddressOnly)
    case .optional(let wrapped): wrapped.isAddressOnly
    case .generic(_, let first, let second): first.isAddressOnly || second.isAddressOnly
    case .tuple(let elements): elements.contains { $0.type.isAddressOnly }
    case .array, .set, .dictionary: false
    }
  }

  /// Whether values take two words at most, as far as that is easily told.
  var isSmall: Bool {
    switch self {
    case .plain(_, _, let traits): traits.contains(.isSmall)
    case .array, .set, .dictionary: true
    case .optional, .generic, .tuple: false
    }
  }

  var isOptional: Bool { spelling.hasSuffix("?") }

  var elements: [Element]? {
    guard case .tuple(let elements) = self else { return nil }
    return elements
  }
}

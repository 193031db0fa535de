// SPDX-License-Identifier: MIT

import TortureFixture

/// Which overrides a call went through, by their generations: digits to the base 4096, the
/// outermost override's lowest. An override that does not call the original adds 2048 to its digit.
struct Trace: Equatable {
  static let base = 4096
  /// More than this many digits do not fit into an Int.
  static let capacity = 5
  /// Set in the digit of an override that did not call the original.
  static let lid = TortureLedger.generations

  let packed: Int

  init(_ packed: Int) {
    self.packed = packed
  }

  /// `17 3 [argument]`, with digits as above; nil if it is anything else.
  init?(text: String, argument: String) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.popLast() == "[\(argument)]", words.count <= Self.capacity else { return nil }
    var packed = 0
    for word in words.reversed() {
      guard let digit = Int(word), digit > 0, digit < Self.base else { return nil }
      packed = packed * Self.base + digit
    }
    self.packed = packed
  }

  /// Outermost first.
  var generations: [Int] {
    var generations: [Int] = []
    var rest = packed
    while rest > 0 {
      generations.append(rest % Self.lid)
      rest /= Self.base
    }
    return generations
  }

  /// Whether the innermost override did not call the original.
  var isLidded: Bool {
    var rest = packed
    while rest >= Self.base { rest /= Self.base }
    return rest >= Self.lid
  }
}

extension Trace: CustomStringConvertible {
  var description: String {
    "[" + generations.map(String.init).joined(separator: " ") + (isLidded ? "]" : " original]")
  }
}

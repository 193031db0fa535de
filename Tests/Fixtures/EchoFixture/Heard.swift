// SPDX-License-Identifier: MIT

import Synchronization

/// What the last function was given, as far as it does not return it.
enum Heard {
  private static let last = Mutex<[String]?>(nil)

  static func note(_ fingerprints: [String]) { last.withLock { $0 = fingerprints } }

  /// Says what was not as expected, if a function has been called since the last time.
  static func difference(_ expected: [String]) -> String? {
    let heard = last.withLock { last in
      defer { last = nil }
      return last
    }
    return heard.flatMap { EchoFixture.difference(expected, $0) }.map { "as an argument: " + $0 }
  }
}

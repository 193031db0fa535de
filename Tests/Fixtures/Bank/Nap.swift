// SPDX-License-Identifier: MIT

import Glibc

/// A method that takes its time.
public final class Nap {
  public init() {}

  public func rest(_ milliseconds: Int) -> String {
    var spent = 0.0
    let start = clock()
    while Int(spent) < milliseconds { spent = Double(clock() - start) / 1000 }
    return "original"
  }

  public func work(rounds: Int) -> String { "original" }

  /// Keeps the processor busy, as long in any build.
  public func spin(microseconds: Int) {
    let start = clock()
    while clock() - start < microseconds {}
  }
}

// SPDX-License-Identifier: MIT

/// What is called all the time while other patches do harm.
public final class Canary: Sendable {
  public init() {}

  public func sing(_ number: Int) -> Int { number }
}

/// What hostile patches override.
public final class Cage {
  public init() {}

  public func open(_ key: String) -> String { "opened with \(key)" }
}

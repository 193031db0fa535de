// SPDX-License-Identifier: MIT

/// Compiled without implicit dynamic: what is small and internal is inlined, and nothing is left of
/// it in an optimised build.
public final class PlainCounter {
  private var count = 0

  public init() {}

  public func add(_ amount: Int) { count = bumped(amount) }

  private func bumped(_ amount: Int) -> Int { count + amount }
}

/// Another module has one too.
public struct NamesTwin { public init() {} }

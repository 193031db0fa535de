// SPDX-License-Identifier: MIT

/// A generated function, how to try it, and the Lua functions that stand in for it.
public struct EchoCase: Sendable {
  /// Its name, and its signature as in the source.
  public let name: String
  public let signature: String

  /// Lua code: the class object, or module, that it belongs to.
  public let owner: String
  /// Lua code that overrides it, with the class object in `H`.
  ///
  /// The first returns its own arguments, the second what the original returns, the third what
  /// another function of the same signature returns, which it calls by name.
  public let echo: String
  public let original: String
  public let other: String

  /// Calls it with values drawn from the dice; says what is wrong, if anything is.
  public let check: @Sendable (inout Dice) -> String?
}

/// Compares what a call did with what it should have done.
func difference(_ expected: [String], _ actual: [String]) -> String? {
  for (expected, actual) in zip(expected, actual) where expected != actual {
    return "expected \(expected)\n     got \(actual)"
  }
  return expected.count == actual.count
    ? nil
    : "expected \(expected.joined(separator: "; "))\n     got \(actual.joined(separator: "; "))"
}

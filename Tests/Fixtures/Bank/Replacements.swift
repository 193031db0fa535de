// SPDX-License-Identifier: MIT

/// A function that Swift code of the same module replaces.
public class Bellhop {
  public init() {}
  public func greet(_ name: String) -> String { "hello \(name)" }
}

extension Bellhop {
  @_dynamicReplacement(for:greet(_:))
  public func newGreet(_ name: String) -> String { "new " + greet(name) }
}

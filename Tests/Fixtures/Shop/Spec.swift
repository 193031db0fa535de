// SPDX-License-Identifier: MIT

/// What a specification overrides: the vocabulary's module, spec.lua, does that.
public final class Spec: Sendable {
  public init() {}

  /// Runs all tests.
  /// - Returns: A line for each, "ok NAME" or "not ok NAME: why".
  public func run() async -> String { "not ok: no specification is applied" }
}

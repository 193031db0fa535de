// SPDX-License-Identifier: MIT

import WaxwingNames
import WaxwingOverrides
import WaxwingReflection

/// The functions that a manifest says its patch overrides.
struct DeclaredOverrides: Sendable {
  /// As they stand there.
  let names: [String]
  /// What those mean that are no plain names, as names of overloads.
  private let functions: [String: RunningFunction]

  /// - Parameter names: nil: the manifest does not say.
  init?(_ names: [String]?, _ resolver: NameResolver) {
    guard let names else { return nil }
    self.names = names
    functions = Dictionary(
      names.compactMap { name in
        (try? resolver.patchPoint(written: name)).map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  func contains(_ override: Override) -> Bool {
    names.contains { matches($0, override) }
  }

  /// Whether a name means the function of an override: all overloads, or this one.
  func matches(_ name: String, _ override: Override) -> Bool {
    name == override.qualifiedName || functions[name] == override.function
  }
}

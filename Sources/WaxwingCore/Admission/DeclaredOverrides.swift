// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingReflection

/// The functions that a manifest says its patch overrides.
struct DeclaredOverrides: Sendable {
  /// The names of overrides as the manifest writes them.
  let names: [String]
  private let plain: Set<String>
  /// The functions that names mean which are not plain, as names of overloads.
  private let functions: [String: RunningFunction]
  private let meant: Set<RunningFunction>

  /// - Parameter names: nil: the manifest does not say.
  init?(_ names: [String]?, _ resolver: NameResolver) {
    guard let names else { return nil }
    self.names = names
    plain = Set(names)
    functions = Dictionary(
      plain.compactMap { name in
        (try? resolver.knownPatchPoint(written: name)).flatMap(\.self).map { (name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    meant = Set(functions.values)
  }

  func contains(_ override: Override) -> Bool {
    plain.contains(override.qualifiedName) || meant.contains(override.function)
  }

  /// The names that mean the function of none of the overrides: all overloads, or one.
  func missing(in overrides: [Override]) -> [String] {
    let overridden = Set(overrides.map(\.qualifiedName))
    let found = Set(overrides.map(\.function))
    return names.filter { name in
      !overridden.contains(name) && functions[name].map(found.contains) != true
    }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingPatches

/// The functions that one patch may override, by the rules of the program and of the operator's
/// file.
struct PatchPermissions: Sendable {
  private let rules: [SelectorRules]
  private let signer: String?

  /// - Throws: `WaxwingError` if a rule cannot be understood: then it is not known what is protected.
  init(_ settings: EngineSettings, signer: String?) throws {
    rules = [try settings.policy.protection(), settings.host.contents.rules]
    self.signer = signer
  }

  /// Why the patch may not override a function; nil: it may.
  func reason(against selector: String) -> String? {
    for rules in rules {
      if let reason = rules.reason(against: selector, signer: signer) { return reason }
    }
    return nil
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingPatches
import WaxwingScripting

/// Checks the overrides of a loaded patch against its manifest and the host's rules.
struct DeclarationChecks {
  let policy: Policy
  let permissions: PatchPermissions

  /// Refuses a patch that overrides too much, or other functions than its manifest says.
  func check(_ session: PatchSession) throws {
    try checkCount(session)
    try checkNames(session)
    try checkRules(session)
  }

  private func checkCount(_ session: PatchSession) throws {
    let (count, most) = (session.runtime.overrides.all.count, policy.limits.overrides)
    guard most > 0, count > most else { return }
    throw WaxwingError(
      .refused, "\(session.name): the patch has \(count) overrides; the host allows \(most)",
      remedy: "make it several patches")
  }

  private func checkNames(_ session: PatchSession) throws {
    let overrides = session.runtime.overrides.all
    let resolver = session.runtime.resolver
    guard let declared = DeclaredOverrides(session.manifest.overrides, resolver) else { return }
    let waits = !session.runtime.modules.late.names.isEmpty
    if let name = declared.missing(in: overrides).first, !waits {
      let near = NearestNames.question(for: name, in: Set(overrides.map(\.qualifiedName)))
      throw WaxwingError(
        .refused,
        "\(session.source.main.name): `overrides` lists \(name), which the patch does not override",
        remedy: near ?? "take it out of the manifest")
    }
    if let override = overrides.first(where: { !declared.contains($0) }) {
      throw WaxwingError(
        .refused, Self.undeclared(override.qualifiedName, session.source.main.name))
    }
  }

  /// Refuses a patch that overrides what the host protects, or what its signer may not.
  private func checkRules(_ session: PatchSession) throws {
    for override in session.runtime.overrides.all {
      guard let reason = permissions.reason(against: override.checkedName) else { continue }
      throw WaxwingError(
        .refused, "\(session.source.main.name): \(reason)",
        remedy: "leave it out of the patch, or ask the program's operator to change the rules")
    }
  }

  /// Why an override that comes later may not be; nil if it may.
  static func reason(
    against override: Override, of manifest: PatchManifest, _ declared: DeclaredOverrides?,
    among others: [Override], most: Int
  ) -> String? {
    let name = override.qualifiedName
    if most > 0, others.count >= most {
      return "this host allows \(most) overrides for one patch"
    }
    guard let declared, !declared.contains(override) else { return nil }
    return undeclared(name, manifest.name)
  }

  private static func undeclared(_ name: String, _ place: String) -> String {
    "\(place): the patch overrides \(name), which its `overrides` does not list"
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingPatches
import WaxwingScripting

/// The outcome of a dry run: its patches were loaded and checked, none has gone live, and their
/// scripts have ended again.
package struct DryRun: Sendable {
  /// The outcome for one patch.
  package struct Patch: Sendable {
    package let name: String
    package let version: Int
    /// The version of the patch that would be replaced.
    package let replacedVersion: Int?
    /// Whether the same patch is live already, byte for byte.
    package let isUnchanged: Bool
    /// The overrides in the order of the script.
    package let overrides: [DeclaredOverride]
    /// The methods that it would add, by their whole names.
    package let methods: [String]
    /// The modules that the patch would wait for with `when_loaded`.
    package let awaitedModules: [String]
    package let warnings: [String]
  }

  /// A function that a patch would override.
  package struct DeclaredOverride: Sendable {
    package let name: String
    package let kind: OverrideInfo.Kind
    /// `overdraft.lua:6`; empty if it is not known.
    package let place: String
    /// The patches that override it and would stay, in the order in which a call comes to them.
    package let others: [String]
  }

  /// The patches in the order in which they were given.
  package let patches: [Patch]
  /// The patches that would end, and that no newer version takes the place of.
  package let ended: [String]

  /// - Parameter live: The sessions that are live, without those that would end.
  init(_ plan: ApplyPlan, staying live: [PatchSession], _ registry: OverrideRegistry) {
    let names = Dictionary(uniqueKeysWithValues: live.map { ($0.number, $0.name) })
    patches = plan.patches.map { Patch($0, staying: names, registry) }
    let fresh = Set(plan.fresh.map(\.name))
    ended = plan.ending.map(\.name).filter { !fresh.contains($0) }
  }
}

extension DryRun.Patch {
  fileprivate init(
    _ applied: AppliedPatch, staying names: [Int: String], _ registry: OverrideRegistry
  ) {
    let session = applied.session
    name = session.name
    version = session.manifest.version
    replacedVersion = applied.replacedVersion
    isUnchanged = applied.isUnchanged
    let declared = session.runtime.overrides.all
    let stacks = registry.stacks(at: Set(declared.map(\.entry)))
    overrides = declared.map { override in
      let stack = stacks[override.entry] ?? []
      let others = stack.compactMap { names[$0.session] }.filter { $0 != session.name }
      return DryRun.DeclaredOverride(override, others: others)
    }
    methods = session.runtime.declarations.methods.all.filter { !$0.isOverride }.map {
      "\($0.owner).\($0.name)"
    }
    awaitedModules = session.runtime.modules.late.names
    warnings = applied.warnings
  }
}

extension DryRun.DeclaredOverride {
  fileprivate init(_ override: Override, others: [String]) {
    name = override.qualifiedName
    let first = override.pieces.first
    kind = OverrideInfo.Kind(override)
    place = first?.declaredAt.map { "\($0.source):\($0.line ?? 0)" } ?? ""
    var seen: Set<String> = []
    self.others = others.filter { seen.insert($0).inserted }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingScripting

/// Patches that run beside the program, for clients that want to compare the results of its calls.
final class Shadows: Sendable {
  private let patches: PatchOperations
  private let watches: Watches

  init(_ patches: PatchOperations, _ watches: Watches) {
    self.patches = patches
    self.watches = watches
  }

  /// The longest time in seconds for which a shadow lives without a client that asks for its calls.
  private static let mostPatience = 60.0

  /// Lets a patch run beside the program.
  func begin(
    _ patch: PatchBundle, _ selection: CallSelection, patience: Double,
    by actor: AuditRecord.Actor
  ) throws -> ShadowReport {
    try watches.prepare()
    var terms = Terms()
    terms.selection = selection
    let application = try patches.apply(
      [patch], ApplyOptions(.none, waitAtMost: .zero), terms, by: actor)
    guard let applied = application.applied.first else { throw Watches.ended("the shadow") }
    watches.add(applied.session, patience: min(patience, Self.mostPatience))
    return ShadowReport(
      name: applied.session.name, overrides: applied.session.overrides.map(\.qualifiedName),
      warnings: applied.warnings)
  }

  /// The comparisons since the last request.
  /// - Throws: `WaxwingError` with the code `notFound` if it has ended.
  func batch(of name: String) throws -> ShadowBatch {
    try watches.ask(name, .comparison) { try ShadowBatch($0) }
  }
}

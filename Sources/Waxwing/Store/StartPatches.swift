// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingOperations
import WaxwingPatches

/// Patches that the environment names: they are live when `listen` returns.
final class StartPatches: Sendable {
  private let engine: Engine
  private let boot: BootSequence
  private let patches: PatchOperations

  init(_ engine: Engine, _ boot: BootSequence, _ patches: PatchOperations) {
    self.engine = engine
    self.boot = boot
    self.patches = patches
  }

  /// Paths with colons between them; not for programs that run with more rights than who started
  /// them.
  private static let patchesVariable = "WAXWING_PATCHES"

  /// Applies the patches that the environment names, all or none, by the rules for patches that come by
  /// the control socket. Never throws: a program must start without them.
  func apply() {
    guard let list = ConfigurationFolder.environment(Self.patchesVariable), !list.isEmpty else {
      return
    }
    let paths = list.split(separator: ":").map(String.init)
    if let reason = boot.switchedOff {
      return engine.log.write(
        .warning, "start.skipped", "no patch of \(Self.patchesVariable) is applied: \(reason)",
        [("patches", list)])
    }
    do {
      let bundles = try paths.map { (path) throws(PatchError) in
        PatchBundle(
          files: try PatchSource(path: path).files,
          signature: try SignatureFile.beside(patchAt: path))
      }
      _ = try patches.apply(
        bundles, ApplyOptions(.sameName, waitAtMost: .zero), by: .program)
    } catch {
      let reason =
        (error as? WaxwingError)?.message ?? (error as? PatchError)?.located ?? "\(error)"
      engine.log.write(
        .error, "start.refused", "no patch of \(Self.patchesVariable) is applied: \(reason)",
        [("patches", list)])
    }
  }
}

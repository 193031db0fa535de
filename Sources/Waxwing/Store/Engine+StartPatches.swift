// SPDX-License-Identifier: MIT

import WaxwingOperations
import WaxwingPatches

/// Patches that the environment names: they are live when `listen` returns.
extension Engine {
  /// Paths with colons between them; not for programs that run with more rights than who started
  /// them.
  private static let patchesVariable = "WAXWING_PATCHES"

  /// Applies the patches that the environment names, all or none, by the rules for patches that come by
  /// the control socket. Never throws: a program must start without them.
  func applyPatchesOfEnvironment() {
    guard let list = ConfigurationFolder.environment(Self.patchesVariable), !list.isEmpty else {
      return
    }
    let paths = list.split(separator: ":").map(String.init)
    if let reason = switchedOff {
      return log.write(
        .warning, "start.skipped", "no patch of \(Self.patchesVariable) is applied: \(reason)",
        [("patches", list)])
    }
    do {
      let bundles = try paths.map { (path) throws(PatchError) in
        PatchBundle(
          files: try PatchSource(path: path).files,
          signature: try SignatureFile.beside(patchAt: path))
      }
      _ = try applyRecorded(bundles, .sameName, waitAtMost: .zero, by: .program)
    } catch {
      let reason =
        (error as? WaxwingError)?.message ?? (error as? PatchError)?.located ?? "\(error)"
      log.write(
        .error, "start.refused", "no patch of \(Self.patchesVariable) is applied: \(reason)",
        [("patches", list)])
    }
  }
}

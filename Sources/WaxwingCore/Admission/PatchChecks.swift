// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection

/// A patch with its manifest, which fits this program and its policy.
typealias FittingPatch = (patch: AdmittedPatch, manifest: PatchManifest)

/// Checks the conditions for loading a patch. Nothing of the patch has run.
final class PatchChecks: Sendable {
  private let patchability: Patchability
  private let settings: EngineSettings
  private let program: ProgramReader
  private let sessions: PatchSessions
  private let admission: PatchAdmission

  init(
    _ patchability: Patchability, _ settings: EngineSettings, _ program: ProgramReader,
    _ sessions: PatchSessions, _ admission: PatchAdmission
  ) {
    self.patchability = patchability
    self.settings = settings
    self.program = program
    self.sessions = sessions
    self.admission = admission
  }

  /// - Throws: `WaxwingError` if the operator's file has mistakes.
  func demandSound() throws { try settings.host.demandSound() }

  /// Reads a patch's manifest, and refuses the patch if it is not for this program or not for now.
  func check(_ patch: AdmittedPatch) throws -> FittingPatch {
    if let obstacle = patchability.failure {
      throw WaxwingError(.unsupported, obstacle.reason, remedy: obstacle.remedy)
    }
    let file = patch.source.main.name
    var manifest: PatchManifest
    do throws(PatchError) {
      manifest = try PatchManifest(
        of: patch.source, isSigned: admission.demandsSignature(of: patch))
      try ArrivalRules.checkExpiry(of: manifest, in: file, at: admission.trustedTime)
    } catch {
      throw WaxwingError(error)
    }
    try checkCapabilities(manifest, in: file)
    try checkProgram(manifest, in: file)
    manifest.name = patch.selection?.sessionName(of: manifest.name) ?? manifest.name
    return (patch, manifest)
  }

  /// Refuses what the host does not let patches use.
  private func checkCapabilities(_ manifest: PatchManifest, in file: String) throws {
    let allowed = settings.policy.capabilities
    let refused = manifest.capabilities.first { name in
      Policy.Capability(rawValue: name).map(allowed.contains) != true
    }
    guard let name = refused else { return }
    let known = Policy.Capability.allCases.map(\.rawValue)
    throw WaxwingError(
      .refused,
      "\(file): the patch asks for the capability `\(name)`, which this host does not grant",
      remedy: known.contains(name)
        ? "remove it, or add it to `capabilities` in the host's policy"
        : NearestNames.question(for: name, in: known)
          ?? "there are \(known.joined(separator: ", "))")
  }

  private func checkProgram(_ manifest: PatchManifest, in file: String) throws {
    let program = try program.current()
    guard program.hasRegisteredTypes else {
      throw WaxwingError(
        .unavailable,
        "\(file): the patch comes too early: Swift's runtime does not know the types of `\(program.name)` yet, "
          + "because the program's constructors have not run",
        remedy:
          "call `WaxwingEngine.listen` in `main`, not in a constructor of the program or of a library"
      )
    }
    if let wanted = manifest.program, wanted != program.name {
      throw WaxwingError(
        .refused, "\(file): the patch is for `\(wanted)`; this is `\(program.name)`")
    }
    if !manifest.builds.isEmpty, !manifest.builds.contains(program.buildID ?? "") {
      let wanted = manifest.builds.joined(separator: ", ")
      throw WaxwingError(
        .refused,
        "\(file): the patch is for build \(wanted); this is build "
          + "\(program.buildID ?? "without an id")",
        remedy: "check the patch against this build and change `build` in its manifest")
    }
  }

  // MARK: Against what is live

  func checkNames(_ manifests: [PatchManifest], _ replacement: Replacement) throws {
    var names: Set<String> = []
    for manifest in manifests where !names.insert(manifest.name).inserted {
      throw WaxwingError(.refused, "two of the patches are named `\(manifest.name)`")
    }
    guard replacement == .none else { return }
    for manifest in manifests where sessions.live(named: manifest.name) != nil {
      throw WaxwingError(
        .conflict, "a patch named `\(manifest.name)` is live already",
        remedy: "end it first, or `apply` to replace it")
    }
  }

  /// - Throws: `WaxwingError.Code.conflict` if the live patches are others than the client knows of.
  func demandCurrent(_ options: ApplyOptions) throws {
    let current = sessions.currentID
    guard let wanted = options.ifCurrent, wanted != current else { return }
    throw WaxwingError(
      .conflict, "the live patches have changed: they are at \(current), not at \(wanted)",
      remedy: "look at them with `waxwing list`, then apply with `--if-current \(current)`")
  }

  /// - Throws: `WaxwingError.Code.conflict` if a patch would take the place of a newer one, or of one that
  ///   calls itself the same.
  func demandNewer(_ patches: [FittingPatch], _ options: ApplyOptions) throws {
    guard !options.acceptsAnyVersion else { return }
    for (patch, manifest) in patches {
      guard let live = sessions.live(named: manifest.name), live.source != patch.source
      else { continue }
      let (old, new) = (live.manifest.version, manifest.version)
      // Without a version a patch says nothing about which is the newer.
      guard new < old || (new == old && new > 0) else { continue }
      throw WaxwingError(
        .conflict,
        new < old
          ? "`\(manifest.name)` version \(old) is live, and this is version \(new)"
          : "`\(manifest.name)` version \(old) is live already, with other content",
        remedy: "give it a higher version, or apply it with --any-version")
    }
  }
}

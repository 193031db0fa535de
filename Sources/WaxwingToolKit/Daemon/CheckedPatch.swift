// SPDX-License-Identifier: MIT

package import WaxwingControl
package import WaxwingPatches

/// A patch that `apply` has read and checked.
package struct CheckedPatch {
  package let source: PatchSource
  package let manifest: PatchManifest
  /// The signature beside the patch, which is not verified: the daemon decides.
  let signature: PatchFile?

  package init(path: String) throws(CommandError) {
    do {
      guard path != StandardInput.word else {
        source = try StandardInput.patch()
        manifest = try PatchManifest(of: source)
        signature = nil
        return
      }
      source = try PatchSource(path: path)
      manifest = try PatchManifest(of: source)
      signature = try SignatureFile.beside(patchAt: path)
      if signature != nil { try SignatureFile.checkList(ofPatchAt: path, files: source.files) }
    } catch {
      throw CommandError(error)
    }
  }

  /// Reads all patches; two of one name would replace each other.
  package static func all(at paths: [String]) throws(CommandError) -> [CheckedPatch] {
    try StandardInput.checkOnce(paths, command: "apply")
    var patches: [CheckedPatch] = []
    for path in paths {
      let patch = try CheckedPatch(path: path)
      let name = patch.manifest.name
      guard !patches.contains(where: { $0.manifest.name == name }) else {
        throw .usage("two of the patches are named '\(name)'", command: "apply")
      }
      patches.append(patch)
    }
    return patches
  }

  /// The program that the patches are for, if they say so.
  package static func program(of patches: [CheckedPatch]) throws(CommandError) -> String? {
    let programs = Set(patches.compactMap(\.manifest.program)).sorted()
    guard programs.count <= 1 else {
      throw .usage(
        "the patches are for different programs: \(programs.joined(separator: ", "))",
        command: "apply", remedy: "apply them one by one")
    }
    return programs.first
  }

  /// The patch as the daemon gets it.
  package var payload: ApplyRequest.Patch {
    ApplyRequest.Patch(
      files: source.files.map { PatchFilePayload(name: $0.name, bytes: $0.bytes) },
      signature: signature.map { PatchFilePayload(name: $0.name, bytes: $0.bytes) })
  }

  /// Refuses a daemon that the manifest excludes. The daemon checks it too.
  package func check(isFor daemon: DaemonInfo) throws(CommandError) {
    if let program = manifest.program, program != daemon.program {
      throw CommandError(
        .refused, "\(manifest.name) is for '\(program)', and this daemon is '\(daemon.program)'",
        remedy: "name the right daemon, or change 'program' in the patch")
    }
    if !manifest.builds.isEmpty, !manifest.builds.contains(daemon.buildID ?? "") {
      throw CommandError(
        .refused,
        "\(manifest.name) is for build \(manifest.builds.joined(separator: ", ")), and \(daemon.program) is "
          + (daemon.buildID.map { "build \($0)" } ?? "without a build id"),
        remedy: "check the patch against this build, then change 'build' in it")
    }
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import WaxwingOperations
import WaxwingPatches

/// Patches as they arrive, in the order in which they are looked at: size, then signature over the raw
/// bytes, and only then anything that is in them.
extension Engine {
  /// Starts patches that arrived; all or none.
  func apply(
    _ bundles: [PatchBundle], _ replacement: Replacement, waitAtMost duration: Duration,
    _ terms: Terms = Terms(), by actor: AuditRecord.Actor
  ) throws -> Application {
    var admitted: [AdmittedPatch] = []
    for bundle in bundles { admitted.append(try admit(bundle)) }
    return try apply(admitted, replacement, waitAtMost: duration, terms, by: actor)
  }

  /// Says who signed a patch, and checks its text. Nothing of it has run.
  /// - Parameter isKept: Whether it comes from the store and not from the control socket.
  /// - Throws: `WaxwingError` if the signature is not right, or there is none and one is needed.
  func admit(_ bundle: PatchBundle, isKept: Bool = false) throws -> AdmittedPatch {
    do throws(PatchError) {
      let (verdict, warnings) = try verdict(on: bundle)
      let source = try PatchSource(files: bundle.files)
      switch verdict {
      case .signed(let signer):
        return AdmittedPatch(
          source: source, origin: .signed(signer), signature: bundle.signature, isKept: isKept)
      case .unsigned:
        return AdmittedPatch(
          source: source, origin: .unsigned, signature: bundle.signature, isKept: isKept,
          warnings: warnings + [Self.insecure])
      }
    } catch {
      if error.code == .signature { counters.count("signature refused") }
      throw WaxwingError(error)
    }
  }

  /// Now, for what has expired. A clock that is set back brings nothing back.
  var trustedTime: TrustedTime { TrustedTime(now: time(nil), floors) }

  private func verdict(
    on bundle: PatchBundle
  ) throws(PatchError) -> (PatchVerdict, warnings: [String]) {
    let verifier = policy.verifier
    let isNeeded = policy.unsignedPatches == .refused
    guard bundle.signature != nil else {
      if isNeeded { throw Self.unsigned(bundle) }
      return (.unsigned, [])
    }
    // A wrong signature is refused everywhere. Where none is needed and no list is there, nobody has
    // said whose would be right.
    if !isNeeded, !verifier.hasSigners {
      return (.unsigned, ["its signature was not checked: there is no \(verifier.signers)"])
    }
    return (try verifier.verify(bundle, at: trustedTime.seconds), [])
  }

  private static let insecure = "INSECURE: not signed; this daemon accepts unsigned patches"

  private static func unsigned(_ bundle: PatchBundle) -> PatchError {
    PatchError(
      .signature, file: bundle.title,
      message: "the patch is not signed, and this daemon applies signed patches only",
      remedy: "sign it with `waxwing sign`; `waxwing sign --help` says how")
  }
}

/// What is asked of a patch by the serial number that its signer gave it, and by its time.
extension Engine {
  /// Refuses patches that are older than what their key has signed before.
  /// - Returns: The floors that they make.
  func floors(
    of patches: [(patch: AdmittedPatch, manifest: PatchManifest)], program: String
  ) throws -> [SerialFloor] {
    let rules = ArrivalRules(serialJump: policy.serialJump)
    var made: [SerialFloor] = []
    do throws(PatchError) {
      for (patch, manifest) in patches {
        guard !patch.isKept, demandsSignature(of: patch), case .signed(let signer) = patch.origin,
          session(named: manifest.name)?.source != patch.source
        else { continue }
        let floor = try rules.floor(
          of: manifest, in: patch.source.main.name, signer: signer, program: program, floors)
        if let floor { made.append(floor) }
      }
    } catch {
      throw WaxwingError(error)
    }
    return made
  }

  /// Keeps the floors, before anything goes live.
  func raise(_ made: [SerialFloor]) throws {
    guard !made.isEmpty else { return }
    do { try floors.raise(made) } catch { throw WaxwingError(error) }
  }

  /// Whether the manifest has to say what the signature is to vouch for.
  func demandsSignature(of patch: AdmittedPatch) -> Bool {
    patch.origin != .program && policy.unsignedPatches == .refused
  }
}

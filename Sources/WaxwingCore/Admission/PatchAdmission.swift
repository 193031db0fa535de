// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
package import WaxwingPatches

/// Lets patches in that arrive. They are looked at in this order: size, then the signature over the raw
/// bytes, and only then anything that is in them.
package final class PatchAdmission: Sendable {
  private let settings: EngineSettings
  private let sessions: PatchSessions
  private let observers: EngineObservers
  private let currentFloors = Mutex<any RollbackProtection>(FloorsInMemory())

  init(_ settings: EngineSettings, _ sessions: PatchSessions, _ observers: EngineObservers) {
    self.settings = settings
    self.sessions = sessions
    self.observers = observers
  }

  /// The serial numbers and the time, which must not go back.
  package var floors: any RollbackProtection {
    get { currentFloors.withLock { $0 } }
    set { currentFloors.withLock { $0 = newValue } }
  }

  /// The current time for decisions about expiry. Setting the clock back revives nothing.
  package var trustedTime: TrustedTime { TrustedTime(now: time(nil), floors) }

  /// Verifies the signature of a patch, and checks its text. Nothing of it has run.
  /// - Parameter isKept: Whether it comes from the store and not from the control socket.
  /// - Throws: `WaxwingError` if the signature is not right, or there is none and one is needed.
  package func admit(_ bundle: PatchBundle, isKept: Bool = false) throws -> AdmittedPatch {
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
      if error.code == .signature { observers.signatureWasRefused() }
      throw WaxwingError(error)
    }
  }

  private func verdict(
    on bundle: PatchBundle
  ) throws(PatchError) -> (PatchVerdict, warnings: [String]) {
    let policy = settings.policy
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

// MARK: - Serial numbers

extension PatchAdmission {
  /// Refuses patches that are older than what their key has signed before.
  /// - Returns: The floors that they make.
  func floors(of patches: [FittingPatch], program: String) throws -> [SerialFloor] {
    let rules = ArrivalRules(serialJump: settings.policy.serialJump)
    var made: [SerialFloor] = []
    do throws(PatchError) {
      for (patch, manifest) in patches {
        guard !patch.isKept, demandsSignature(of: patch), case .signed(let signer) = patch.origin,
          sessions.live(named: manifest.name)?.source != patch.source
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

  /// The floors that patches make which were let in before.
  func floors(of sessions: [PatchSession], program: String) -> [SerialFloor] {
    sessions.compactMap { session in
      guard demandsSignature(of: session.admitted),
        case .signed(let signer) = session.admitted.origin,
        let serial = session.manifest.serial
      else { return nil }
      return SerialFloor(program: program, key: signer.key, serial: serial)
    }
  }

  /// Keeps the floors, before anything goes live.
  func raise(_ made: [SerialFloor]) throws {
    guard !made.isEmpty else { return }
    do { try floors.raise(made) } catch { throw WaxwingError(error) }
  }

  /// Whether the manifest has to say what the signature is to vouch for.
  func demandsSignature(of patch: AdmittedPatch) -> Bool {
    patch.origin != .program && settings.policy.unsignedPatches == .refused
  }
}

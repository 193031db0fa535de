// SPDX-License-Identifier: MIT

import Glibc
package import WaxwingPatches

/// Reads signed documents. Only a document that a listed signer has signed for fleets is accepted.
package struct DocumentVerifier: Hashable, Sendable {
  /// The path of the list of those who may sign.
  package let signers: String
  /// The path of the list of keys that are revoked; it need not be there.
  package let revoked: String

  /// Names the lists, which are read each time.
  package init(signers: String, revoked: String) {
    self.signers = signers
    self.revoked = revoked
  }

  /// A set, if an allowed signer has signed it.
  package func set(stored: [UInt8], id: String) throws(FleetError) -> FleetSet {
    let document = try verified(stored, id, "set")
    let set = try DocumentCoder.decode(
      FleetSet.self, from: document.bytes, named: "set \(id.prefix(12))")
    try set.check(id: id)
    return set
  }

  /// A rollout, if an allowed signer has signed it.
  package func rollout(stored: [UInt8], id: String) throws(FleetError) -> Rollout {
    let document = try verified(stored, id, "rollout")
    let rollout = try DocumentCoder.decode(
      Rollout.self, from: document.bytes, named: "rollout \(id.prefix(12))")
    try rollout.check(id: id)
    return rollout
  }

  /// Verifies a document, and returns its signer.
  package func signer(
    of document: SignedDocument, named name: String
  ) throws(FleetError) -> Signer {
    do throws(PatchError) {
      let lists = try SignerLists(signers: signers, revoked: revoked)
      return try lists.verify(
        document.bytes,
        signature: PatchFile(name: name + ".sig", bytes: Array(document.signature.utf8)),
        namespace: SignedDocument.namespace, at: time(nil))
    } catch {
      throw FleetError(.untrusted, error.located, remedy: error.remedy)
    }
  }

  private func verified(
    _ stored: [UInt8], _ id: String, _ kind: String
  ) throws(FleetError) -> SignedDocument {
    let document = try SignedDocument(stored: stored, id: id)
    _ = try signer(of: document, named: "\(kind) \(id.prefix(12))")
    return document
  }
}

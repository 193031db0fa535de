// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingPatches

/// A document with the signature over its bytes, as it is stored: the very bytes that were signed travel in
/// Base64, so that nothing on the way can write them in another form.
package struct SignedDocument: Hashable, Sendable, Codable {
  /// The namespace in which sets and rollouts are signed.
  package static let namespace = "waxwing-fleet"

  private let payload: Data

  /// The output of `ssh-keygen -Y sign -n waxwing-fleet` for the bytes.
  package let signature: String

  /// The bytes that were signed.
  var bytes: [UInt8] { Array(payload) }

  /// The name of the document: the hash of its bytes.
  package var id: String { ContentHash(of: bytes).hex }

  /// Puts both together; nothing is verified here.
  package init(bytes: [UInt8], signature: String) {
    payload = Data(bytes)
    self.signature = signature
  }

  /// - Parameters:
  ///   - stored: What the store has.
  ///   - id: The name under which it has it.
  /// - Throws: ``FleetError`` `untrusted` for what is no document, or another one.
  package init(stored: [UInt8], id: String) throws(FleetError) {
    self = try DocumentCoder.decode(
      SignedDocument.self, from: stored, named: "document \(id.prefix(12))")
    guard self.id == id else {
      throw FleetError(
        .untrusted, "document \(id.prefix(12)) is another one: its hash is \(self.id.prefix(12))",
        remedy: "somebody has changed it in the store: find out who")
    }
  }
}

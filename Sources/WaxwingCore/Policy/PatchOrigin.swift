// SPDX-License-Identifier: MIT

package import WaxwingBridge
package import WaxwingPatches

/// Where a patch comes from.
package enum PatchOrigin: Hashable, Sendable {
  /// The program starts it itself.
  case program
  /// The control socket, without a signature.
  case unsigned
  /// The control socket or the store, signed by this signer.
  case signed(Signer)
}

/// A patch that may be loaded as far as its origin goes.
package struct AdmittedPatch {
  let source: PatchSource
  var origin: PatchOrigin
  /// The detached signature that came with it.
  var signature: PatchFile?
  /// Whether the patch comes from the store. Its serial number was judged when it arrived, and
  /// newer patches of its key may have come since.
  var isKept = false
  /// Warnings for the operator about the patch's origin.
  var warnings: [String] = []
  /// The purpose of the patch.
  package var purpose = ScriptOptions.Purpose.patch
  /// The calls that the patch takes part in; nil for all.
  package var selection: CallSelection?

  package init(
    source: PatchSource, origin: PatchOrigin, signature: PatchFile? = nil, isKept: Bool = false,
    warnings: [String] = []
  ) {
    self.source = source
    self.origin = origin
    self.signature = signature
    self.isKept = isKept
    self.warnings = warnings
  }

  /// The patch as it arrived.
  var bundle: PatchBundle { PatchBundle(files: source.files, signature: signature) }
}

extension PatchOrigin {
  /// The name of the signer in the list of those who may sign; nil if the patch is not signed.
  package var signer: String? {
    if case .signed(let signer) = self { signer.identity } else { nil }
  }

  /// The fields of the origin in an event.
  var fields: [(String, any LogValue)] {
    switch self {
    case .program: []
    case .unsigned: [("signer", "none"), ("security", "INSECURE")]
    case .signed(let signer): [("signer", signer.identity), ("key", signer.key)]
    }
  }
}

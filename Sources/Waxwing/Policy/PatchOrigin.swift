// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Where a patch comes from.
enum PatchOrigin: Hashable, Sendable {
  /// The program starts it itself.
  case program
  /// The control socket, without a signature.
  case unsigned
  /// The control socket or the store, signed by this signer.
  case signed(Signer)
}

/// A patch that may be loaded as far as its origin goes.
struct AdmittedPatch {
  let source: PatchSource
  var origin: PatchOrigin
  /// The detached signature that came with it.
  var signature: PatchFile?
  /// Whether it comes from the store: its serial number was judged when it arrived, and newer patches of
  /// its key may have come since.
  var isKept = false
  /// What the operator should know of its origin.
  var warnings: [String] = []

  /// As it arrived.
  var bundle: PatchBundle { PatchBundle(files: source.files, signature: signature) }
}

extension PatchOrigin {
  /// Who signed it, by the name in the list of those who may.
  var signer: String? {
    if case .signed(let signer) = self { signer.identity } else { nil }
  }

  /// What an event says of it.
  var fields: [(String, any LogValue)] {
    switch self {
    case .program: []
    case .unsigned: [("signer", "none"), ("security", "INSECURE")]
    case .signed(let signer): [("signer", signer.identity), ("key", signer.key)]
    }
  }
}

extension PatchInfo.Origin {
  init(_ origin: PatchOrigin) {
    switch origin {
    case .program: self = .program
    case .unsigned: self = .unsigned
    case .signed(let signer): self = .signed(identity: signer.identity, key: signer.key)
    }
  }
}

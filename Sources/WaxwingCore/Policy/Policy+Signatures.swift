// SPDX-License-Identifier: MIT

import WaxwingPatches

extension Policy {
  /// The variable by which an operator lets unsigned patches in.
  private static let unsignedVariable = "WAXWING_UNSIGNED"

  /// The policy with what the environment adds to it.
  package var withEnvironment: Policy {
    var policy = self
    if ConfigurationFolder.environment(Self.unsignedVariable) == "allow" {
      policy.unsignedPatches = .allowed
    }
    return policy
  }

  /// The verifier of signatures.
  var verifier: PatchVerifier {
    PatchVerifier(
      signers: signers ?? ConfigurationFolder.signers,
      revoked: revoked ?? ConfigurationFolder.revoked)
  }
}

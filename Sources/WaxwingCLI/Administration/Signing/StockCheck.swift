// SPDX-License-Identifier: MIT

import WaxwingPatches

/// The commands with which anybody can check a signature without this tool.
struct StockCheck {
  let patch: String
  let signature: String
  let signers: String
  /// Nil if there is no such list.
  let revoked: String?
  let signer: Signer

  var lines: [String] {
    let signed = SignatureFile.signedFile(ofPatchAt: patch)
    return (signed == patch ? [] : [list]) + [check(signed)]
  }

  private func check(_ signed: String) -> String {
    switch signer.format {
    case .minisign:
      ShellText.line(["minisign", "-V", "-P", signer.key, "-x", signature, "-m", signed])
    case .ssh:
      ShellText.line(
        ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", signer.identity]
          + ["-n", PatchVerifier.namespace, "-s", signature]
          + (revoked.map { ["-r", $0] } ?? [])) + " < \(ShellText.quoted(signed))"
    }
  }

  /// `sha256sum -c` would not see a file too many.
  private var list: String {
    "(cd \(ShellText.quoted(patch)) && find . -name '*.lua' -not -path '*/.*' -printf '%P\\n' "
      + "| LC_ALL=C sort | xargs -d '\\n' sha256sum | diff - \(SignedMessage.listName))"
  }
}

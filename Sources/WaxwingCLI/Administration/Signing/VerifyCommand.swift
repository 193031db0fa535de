// SPDX-License-Identifier: MIT

import Glibc
import WaxwingOperations
import WaxwingPatches
import WaxwingSystem
import WaxwingToolKit

/// `waxwing verify`: says who signed a patch, as a daemon with these lists would.
struct VerifyCommand: Command {
  let name = "verify"
  let summary = "shows who signed a patch, and how to check that without this tool"
  let usage = ["PATCH [--signature FILE] [--signers FILE] [--revoked FILE] [--json]"]
  let arguments = [
    Argument("PATCH", "a .lua file, or a folder with main.lua and its modules", .patchFile)
  ]
  let options = [
    Option("--signature", "FILE", "the signature (default: the one beside the patch)", .file),
    Option("--signers", "FILE", "who may sign (default /etc/waxwing/allowed_signers)", .file),
    Option(
      "--revoked", "FILE", "whose keys are revoked (default /etc/waxwing/revoked_signers)", .file),
    .json,
  ]
  let notes = [
    """
    The lists have OpenSSH's format: `man ssh-keygen`, ALLOWED SIGNERS. Lines for minisign's keys
    have the word minisign instead of ssh-ed25519. The exit code is 3 if a daemon would reject the
    patch.
    """
  ]
  let examples = [
    "waxwing verify overdraft.lua", "waxwing verify fees/ --signers allowed_signers",
  ]
  let argumentCount = 1...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = arguments.positional[0]
    let signers = arguments["--signers"] ?? ConfigurationFolder.signers
    let revoked = arguments["--revoked"] ?? ConfigurationFolder.revoked
    let verified: (manifest: PatchManifest, signer: Signer, signature: PatchFile?)
    do throws(PatchError) {
      let source = try PatchSource(path: path)
      let signature = try signature(arguments["--signature"], path, source)
      let lists = try SignerLists(signers: signers, revoked: revoked)
      for mistake in lists.mistakes { console.warn("\(mistake); the line authorises nobody") }
      let bundle = PatchBundle(files: source.files, signature: signature)
      let time = TrustedTime(now: Glibc.time(nil), lastSeen: nil)
      let signer = try lists.verify(bundle, at: time.seconds)
      let manifest = try PatchManifest(of: source, isSigned: true)
      try ArrivalRules.checkExpiry(of: manifest, in: source.main.name, at: time)
      verified = (manifest, signer, signature)
    } catch {
      throw CommandError(error)
    }
    if console.reportsJSON {
      try show(verified.manifest, verified.signer, console)
      return .success
    }
    let check = StockCheck(
      patch: path, signature: arguments["--signature"] ?? besidePath(path, verified.signature),
      signers: signers, revoked: unsafe access(revoked, F_OK) == 0 ? revoked : nil,
      signer: verified.signer)
    console.print(lines(verified.manifest, verified.signer, check))
    return .success
  }

  private struct Document: Encodable {
    let name: String
    let version: Int
    let signer: String
    let key: String
    let program: String?
    let builds: [String]
    let serial: Int?
    /// RFC 3339.
    let expires: String?
  }

  private func show(
    _ manifest: PatchManifest, _ signer: Signer, _ console: Console
  ) throws(CommandError) {
    try console.print(
      json: Document(
        name: manifest.name, version: manifest.version, signer: signer.identity,
        key: "\(signer.key)", program: manifest.program, builds: manifest.builds,
        serial: manifest.serial, expires: manifest.expires.map(UTCDate.text)))
  }

  private func signature(
    _ named: String?, _ path: String, _ source: PatchSource
  ) throws(PatchError) -> PatchFile? {
    if let named { return try SignatureFile.read(named) }
    let signature = try SignatureFile.beside(patchAt: path)
    if signature != nil { try SignatureFile.checkList(ofPatchAt: path, files: source.files) }
    return signature
  }

  private func besidePath(_ path: String, _ signature: PatchFile?) -> String {
    let signed = SignatureFile.signedFile(ofPatchAt: path)
    let suffix = SignatureFile.suffixes.first { signature?.name.hasSuffix($0) ?? false }
    return signed + (suffix ?? "")
  }

  private func lines(
    _ manifest: PatchManifest, _ signer: Signer, _ check: StockCheck
  ) -> [String] {
    var lines = ["\(manifest.name) version \(manifest.version) is signed by \(signer.identity)"]
    lines.append("  key      \(signer.key)")
    lines.append("  program  \(manifest.program ?? "any")")
    if !manifest.builds.isEmpty {
      lines.append("  build    \(manifest.builds.joined(separator: ", "))")
    }
    lines.append("  serial   \(manifest.serial.map(String.init) ?? "none")")
    lines.append("  expires  \(manifest.expires.map(UTCDate.text) ?? "never")")
    lines.append("The same without this tool:")
    return lines + check.lines.map { "  " + $0 }
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches
import WaxwingToolKit

/// `waxwing sign`: has `ssh-keygen` sign a patch.
struct SignCommand: Command {
  let name = "sign"
  let summary = "signs a patch with an SSH key, using ssh-keygen"
  let usage = ["PATCH [--key FILE] [--json]"]
  let arguments = [
    Argument("PATCH", "a .lua file, or a folder with main.lua and its modules", .patchFile)
  ]
  let options = [
    Option(
      "--key", "FILE", "the Ed25519 key, or its .pub if ssh-agent has it (~/.ssh/id_ed25519)", .file
    ), .json,
  ]
  let notes = [
    """
    The signature is written to PATCH.sig, where `waxwing apply` finds it. For a folder, the list of
    its files is written to SHA256SUMS and signed. Where signatures are required, the manifest needs
    name, program, and a serial number that goes up with each patch that the key signs for the
    program. With `expires` a patch is neither applied nor started after that time; a live one stays until it ends.
    """,
    """
    The command runs ssh-keygen as shown here; a signature by minisign is as good:
      ssh-keygen -Y sign -n waxwing-patch -f ~/.ssh/id_ed25519 overdraft.lua
      minisign -S -t waxwing-patch -m overdraft.lua
    """,
  ]
  let examples = ["waxwing sign overdraft.lua", "waxwing sign fees/ --key ~/.ssh/release.pub"]
  let argumentCount = 1...1

  private struct Document: Encodable {
    let name: String
    let serial: Int?
    let key: String
    /// The file that was written.
    let signature: String
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let path = arguments.positional[0]
    let files: [PatchFile]
    let manifest: PatchManifest
    let message: [UInt8]
    do throws(PatchError) {
      let source = try PatchSource(path: path)
      files = source.files
      manifest = try PatchManifest(of: source)
      message = try SignedMessage.bytes(of: files)
      warn(of: source, console)
    } catch {
      throw CommandError(error)
    }
    let key = if let named = arguments["--key"] { named } else { try KeyTool.defaultKey() }
    let signed = SignatureFile.signedFile(ofPatchAt: path)
    if signed != path {
      let list = NewFile(at: signed)
      try list.write(message)
      try list.takePlace()
    }
    let fingerprint = try sign(signed, files, key)
    if arguments.has(.json) {
      try console.print(
        json: Document(
          name: manifest.name, serial: manifest.serial, key: fingerprint,
          signature: "\(signed).sig"))
      return .success
    }
    let serial = manifest.serial.map { ", serial \($0)" } ?? ""
    console.print([
      "signed \(manifest.name)\(serial) with \(fingerprint)", "wrote \(signed).sig",
    ])
    return .success
  }

  private func sign(
    _ file: String, _ files: [PatchFile], _ key: String
  ) throws(CommandError) -> String {
    let output = NewFile(at: file + ".sig")
    try KeyTool.sign(file, namespace: PatchVerifier.namespace, key: key, into: output.draft)
    let fingerprint: String
    do throws(PatchError) {
      // What ssh-keygen wrote must be what daemons accept.
      let read = try SignatureFile.read(output.draft)
      let name = output.path.split(separator: "/").last.map(String.init) ?? output.path
      fingerprint = try SigningKey.fingerprint(
        of: PatchFile(name: name, bytes: read.bytes), for: files)
    } catch {
      throw CommandError(error)
    }
    try output.takePlace()
    return fingerprint
  }

  /// Warns of problems for which the patch would be refused if signatures are required.
  private func warn(of source: PatchSource, _ console: Console) {
    do throws(PatchError) {
      _ = try PatchManifest(of: source, isSigned: true)
    } catch {
      console.warn("daemons that require signatures will reject this: \(error.message)")
    }
  }
}

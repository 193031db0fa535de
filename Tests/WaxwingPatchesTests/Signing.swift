// SPDX-License-Identifier: MIT

import SignatureOracle
import WaxwingPatches

/// A patch, keys and lists for tests of signatures; the stock tools make all of it.
struct Signing {
  static let text = "patch { name = 'p', program = 'bankd', serial = 1 }\n"
  /// 2026-10-01, at which all that is signed here is judged unless a test says another time.
  static let time = 1_790_812_800

  let tools: StockTools
  let alice: String

  init() throws {
    tools = try StockTools()
    try tools.write(Self.text, to: "p.lua")
    alice = try tools.makeKey("alice")
    try tools.sign("p.lua", key: "alice")
  }

  /// The list with one line for Alice.
  var signers: String { "alice@ops \(alice)\n" }

  /// The patch with the signature beside it.
  func bundle(_ text: String = Signing.text, suffix: String = "sig") throws -> PatchBundle {
    Self.bundle(text, try tools.bytes("p.lua.\(suffix)"), suffix: suffix)
  }

  static func bundle(
    _ text: String, _ signature: [UInt8], suffix: String = "sig"
  ) -> PatchBundle {
    PatchBundle(
      files: [PatchFile(name: "p.lua", bytes: Array(text.utf8))],
      signature: PatchFile(name: "p.lua.\(suffix)", bytes: signature))
  }

  /// What comes of a patch: the signer's name, or why it is refused.
  static func verdict(
    _ bundle: PatchBundle, _ signers: String, revoked: String = "", at time: Int = Signing.time
  ) -> String {
    do throws(PatchError) {
      let lists = try SignerLists(allowed: Array(signers.utf8), revoked: Array(revoked.utf8))
      return try lists.verify(bundle, at: time).identity
    } catch {
      return error.located
    }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingPatches

/// One question to both: is this patch signed by Alice?
struct Trial {
  enum Tool { case ssh, minisign }

  let tool: Tool
  var patch: [UInt8]
  var signature: [UInt8]
  /// The list; of a minisign trial the key alone.
  var signers: [UInt8]
  var revoked: [UInt8] = []
  /// Seconds since 1970.
  var time = 1_790_000_000

  static let name = "alice@ops"

  /// What this engine says; nil: accepted.
  var refusal: PatchError? {
    let list = tool == .ssh ? signers : Array("\(Self.name) minisign ".utf8) + signers
    let file = PatchFile(name: tool == .ssh ? "p.lua.sig" : "p.lua.minisig", bytes: signature)
    let bundle = PatchBundle(files: [PatchFile(name: "p.lua", bytes: patch)], signature: file)
    do throws(PatchError) {
      let lists = try SignerLists(allowed: list, revoked: revoked)
      _ = try lists.verify(bundle, at: time, name: Self.name)
      return nil
    } catch {
      return error
    }
  }
}

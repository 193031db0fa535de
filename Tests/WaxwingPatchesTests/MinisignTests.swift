// SPDX-License-Identifier: MIT

import Expectations
import SignatureOracle
import Testing
import WaxwingPatches

/// Signatures of minisign.
@Suite struct MinisignTests {
  let signing: Signing
  let carol: String

  init() throws {
    signing = try Signing()
    carol = try signing.tools.makeMinisignKey("carol")
  }

  private func verdict(_ signers: String? = nil, revoked: String = "") throws -> String {
    Signing.verdict(
      try signing.bundle(suffix: "minisig"), signers ?? "carol@ops minisign \(carol)\n",
      revoked: revoked)
  }

  @Test func `a signature of minisign is accepted, by the list that ssh-keygen reads too`()
    throws
  {
    try signing.tools.minisign("p.lua", key: "carol")
    let list =
      "\(signing.signers)carol@ops valid-before=\"20270101\" minisign \(carol) her laptop\n"
    #expect(try verdict(list) == "carol@ops")
    try signing.tools.write(list, to: "signers")
    try signing.tools.run(
      "ssh-keygen -Y verify -n waxwing-patch -I alice@ops -f signers -s p.lua.sig < p.lua")
  }

  @Test func `a signature that was made for something else is refused`() throws {
    for comment in ["release 1.2", "waxwing-patches", "", "for waxwing-patch"] {
      try signing.tools.minisign("p.lua", key: "carol", comment: comment)
      #expect(try verdict().contains("its trusted comment does not say that it is for a patch"))
    }
    try signing.tools.minisign("p.lua", key: "carol", comment: "waxwing-patch of may")
    #expect(try verdict() == "carol@ops")
  }

  @Test func `an unknown, a revoked and an expired key of minisign are refused`() throws {
    try signing.tools.minisign("p.lua", key: "carol")
    #expect(try verdict(signing.signers).contains("which is not in allowed_signers"))
    #expect(try verdict(revoked: "minisign \(carol)\n").contains("is revoked in revoked_signers"))
    #expect(
      try verdict("carol@ops valid-before=\"20200101\" minisign \(carol)\n")
        .contains("the key has expired (line 1)"))
  }

  @Test func `no bit of patch, signature or trusted comment can be flipped`() throws {
    try signing.tools.minisign("p.lua", key: "carol")
    let signature = try signing.tools.bytes("p.lua.minisig")
    let lines = String(decoding: signature, as: UTF8.self).split(separator: "\n")
    let first = lines[at: 0].utf8.count + 1
    for place in first..<signature.count {
      for bit in 0..<8 {
        var changed = signature
        changed[place] ^= 1 << UInt8(bit)
        let verdict = Signing.verdict(
          Signing.bundle(Signing.text, changed, suffix: "minisig"), "c minisign \(carol)\n")
        // Bits that Base64 has to spare at the end, and the end of the last line.
        let isSpare =
          [2, 3, 4].contains(where: { signature.count - $0 == place })
          || place == first + lines[at: 1].utf8.count - 2
        #expect(verdict != "c" || isSpare, "bit \(bit) of \(place)")
      }
    }
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import SignatureOracle
import Testing
import WaxwingPatches

/// Signatures of `ssh-keygen`, right ones and wrong ones.
@Suite struct SSHSignatureTests {
  let signing: Signing

  init() throws { signing = try Signing() }

  private func verdict(
    _ signers: String? = nil, revoked: String = "", at time: Int = Signing.time
  ) throws -> String {
    Signing.verdict(
      try signing.bundle(), signers ?? signing.signers, revoked: revoked, at: time)
  }

  @Test func `both hashes of ssh-keygen are accepted`() throws {
    #expect(try verdict() == "alice@ops")
    try signing.tools.sign("p.lua", key: "alice", options: "-O hashalg=sha256")
    #expect(try verdict() == "alice@ops")
  }

  @Test func `the key is named as ssh-keygen -l names it`() throws {
    let lists = try SignerLists(allowed: Array(signing.signers.utf8), revoked: [])
    let signer = try lists.verify(try signing.bundle(), at: Signing.time)
    #expect(try signing.tools.run("ssh-keygen -l -f alice.pub").contains(" \(signer.key) "))
  }

  @Test func `a signature of an unknown key is refused`() throws {
    _ = try signing.tools.makeKey("mallory")
    try signing.tools.sign("p.lua", key: "mallory")
    #expect(try verdict().hasPrefix("allowed_signers: the key is not in it: SHA256:"))
  }

  @Test func `a signature for another namespace is refused`() throws {
    try signing.tools.sign("p.lua", key: "alice", namespace: "git")
    #expect(
      try verdict()
        == "p.lua.sig: it is for the namespace 'git', and patches are signed for 'waxwing-patch'")
  }

  @Test func `a revoked key is refused, and all keys if the list cannot be read`() throws {
    #expect(try verdict(revoked: "# lost\n\(signing.alice) laptop\n").contains("is revoked in"))
    #expect(try verdict(revoked: "\n# nobody\n") == "alice@ops")
    #expect(
      try verdict(revoked: "ssh-ed25519 AAAA\n")
        == "revoked_signers: line 1 is not a public key, so no patch is accepted")
    #expect(try verdict(revoked: "SSHKRL\n\0rest").contains("binary revocation list"))
  }

  @Test func `a key is valid from its valid-after to its valid-before, both included`() throws {
    func list(_ options: String) -> String { "alice@ops \(options) \(signing.alice)\n" }
    let after = list("valid-after=\"20261001Z\"")
    #expect(try verdict(after, at: 1_790_812_799).contains("the key is not valid yet (line 1)"))
    #expect(try verdict(after, at: 1_790_812_800) == "alice@ops")
    let before = list("valid-before=\"20261001000000Z\"")
    #expect(try verdict(before, at: 1_790_812_800) == "alice@ops")
    #expect(try verdict(before, at: 1_790_812_801).contains("the key has expired (line 1)"))
    #expect(try verdict(list("namespaces=\"git,file\"")).contains("may not sign for the namespace"))
    #expect(try verdict(list("namespaces=\"git,waxwing-*\"")) == "alice@ops")
  }

  @Test func `no bit of patch, signature or key can be flipped`() throws {
    let signature = try signing.tools.bytes("p.lua.sig")
    let text = Array(Signing.text.utf8)
    for bit in 0..<(text.count * 8) {
      var changed = text
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let bundle = PatchBundle(
        files: [PatchFile(name: "p.lua", bytes: changed)],
        signature: PatchFile(name: "p.lua.sig", bytes: signature))
      #expect(Signing.verdict(bundle, signing.signers).hasPrefix("p.lua.sig: "), "bit \(bit)")
    }
    let blob = try blob(signature)
    for bit in 0..<(blob.count * 8) {
      var changed = blob
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      // The format's version is not signed, and 0 is read like 1, as ssh-keygen has it.
      if changed[6..<10].elementsEqual([0, 0, 0, 0]) { continue }
      let bundle = Signing.bundle(Signing.text, armoured(changed))
      #expect(Signing.verdict(bundle, signing.signers) != "alice@ops", "bit \(bit)")
    }
  }

  @Test func `an RSA key and a security key are refused by their type`() throws {
    for type in ["rsa", "ecdsa"] {
      _ = try signing.tools.makeKey(type, type: type)
      try signing.tools.sign("p.lua", key: type)
      #expect(try verdict().contains("a key of type \(type == "rsa" ? "ssh-rsa" : "ecdsa-sha2")"))
    }
    var key = Wire()
    key.put("sk-ssh-ed25519@openssh.com")
    key.put(String(repeating: "k", count: 32))
    key.put("ssh:")
    let blob = signature(key: key.bytes, reserved: "", Array(repeating: 0, count: 64))
    #expect(
      Signing.verdict(Signing.bundle(Signing.text, armoured(blob)), signing.signers)
        .contains("a key of type sk-ssh-ed25519@openssh.com; only ssh-ed25519 is accepted"))
  }

  /// Where this engine is stricter than `ssh-keygen`, it says why.
  @Test func `a reserved part and a second form of a right signature are refused`() throws {
    let blob = try blob(try signing.tools.bytes("p.lua.sig"))
    let keyBlob = Array(blob[14..<65])
    let raw = Array(blob.suffix(64))
    let rebuilt = signature(key: keyBlob, reserved: "", raw)
    #expect(rebuilt == blob)
    let reserved = signature(key: keyBlob, reserved: "x", raw)
    #expect(
      Signing.verdict(Signing.bundle(Signing.text, armoured(reserved)), signing.signers)
        == "p.lua.sig: its reserved part is not empty")
    // The group's order added to the number in the second half: the same point.
    let order: [UInt8] =
      [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14,
      ] + [UInt8](repeating: 0, count: 15) + [0x10]
    var second = raw
    var carry = 0
    for index in 0..<32 {
      let sum = Int(raw[32 + index]) + Int(order[index]) + carry
      second[32 + index] = UInt8(sum & 0xff)
      carry = sum >> 8
    }
    let twin = signature(key: keyBlob, reserved: "", second)
    #expect(
      Signing.verdict(Signing.bundle(Signing.text, armoured(twin)), signing.signers)
        .contains("has not signed these bytes"))
  }

  @Test(arguments: [
    "", "x", "-----BEGIN SSH SIGNATURE-----\n", "-----BEGIN SSH SIGNATURE-----\r\nU1NIU0lH",
    "-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----",
    "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAf////8=\n-----END SSH SIGNATURE-----\n",
    "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAg==\n-----END SSH SIGNATURE-----\n",
    "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAAAA=\n-----END SSH SIGNATURE-----\n",
    String(repeating: "-----BEGIN SSH SIGNATURE-----\n", count: 500),
    "-----BEGIN SSH SIGNATURE-----\n"
      + String(repeating: "\n-----END SSH SIGNATURE----", count: 500),
  ])
  func `what is no signature is refused with a reason`(text: String) {
    let verdict = Signing.verdict(Signing.bundle("return 1", Array(text.utf8)), "")
    #expect(verdict.hasPrefix("p.lua.sig: it"), "\(verdict)")
  }

  @Test func `a huge signature is refused before it is read`() {
    let bundle = Signing.bundle("return 1", [UInt8](repeating: 0x41, count: 20_000))
    #expect(Signing.verdict(bundle, "") == "p.lua.sig: the signature has more than 16 KiB")
  }

  private func blob(_ armoured: [UInt8]) throws -> [UInt8] {
    let lines = String(decoding: armoured, as: UTF8.self).split(separator: "\n")
    return Array(try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined())))
  }

  private func armoured(_ blob: [UInt8]) -> [UInt8] {
    let body = Data(blob).base64EncodedString()
    return Array("-----BEGIN SSH SIGNATURE-----\n\(body)\n-----END SSH SIGNATURE-----\n".utf8)
  }

  private func signature(key: [UInt8], reserved: String, _ raw: [UInt8]) -> [UInt8] {
    var inner = Wire()
    inner.put("ssh-ed25519")
    inner.put(raw)
    var outer = Wire()
    outer.put(key)
    outer.put("waxwing-patch")
    outer.put(reserved)
    outer.put("sha512")
    outer.put(inner.bytes)
    return Array("SSHSIG".utf8) + [0, 0, 0, 1] + outer.bytes
  }
}

/// Writes SSH's wire format.
private struct Wire {
  var bytes: [UInt8] = []

  mutating func put(_ text: String) { put(Array(text.utf8)) }

  mutating func put(_ string: [UInt8]) {
    let count = UInt32(string.count)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + string
  }
}

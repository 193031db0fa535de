// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

/// Signatures that OpenSSH 9.2 and minisign 0.11 have made once, of `return 1` and a line break.
@Suite struct StoredVectorTests {
  private static let sshKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAfaLagMvRuI4PPe6YduumRHXD8k5O8zoP/BNRnr3mkk"
  private static let minisignKey = "RWTNzD54tXRqDMuupm2d7d5L0niiUxxHzzxT2fGnD23JYrnWKmAsZoKW"

  private static let ssh = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgB9otqAy9G4jg897ph266ZEdcPy
    Tk7zOg/8E1GeveaSQAAAANd2F4d2luZy1wYXRjaAAAAAAAAAAGc2hhNTEyAAAAUwAAAAtz
    c2gtZWQyNTUxOQAAAEDbaOlZGVMntOL699tVctp5EN0daOKX5GLVKJik/6cYE2hgyLTi+D
    xuOBW64ymMODBWXqN32NQDi7JRsfHpIHwF
    -----END SSH SIGNATURE-----

    """

  private static let ecdsa = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
    EEtL1Jj4v5WJ0IbTVlgTLscIvF/qMFq1yLoaNG3ZWLv2INSDCPpqv8rw6vRB5PyPWsafLh
    IhCQjS9XPWUhS29IOAAAAA13YXh3aW5nLXBhdGNoAAAAAAAAAAZzaGE1MTIAAABjAAAAE2
    VjZHNhLXNoYTItbmlzdHAyNTYAAABIAAAAIBySlWuyhBZipKQ26TVZIaAmwUkmbKdlpDnk
    5uDyBlYXAAAAIAkZuJAo08R4vanPSszXrLiOLOwlQh/77DBiQWVJ+nFD
    -----END SSH SIGNATURE-----

    """

  private static let minisign = """
    untrusted comment: signature from minisign secret key
    RUTNzD54tXRqDPbOyLcOyo+xeudPz+7ugcU/SrR8oaK2sg3r/0NlhceK5pLZIrbFb8LffbPc3ihyfmb0McRQ6tMnr20xDqUDpAU=
    trusted comment: waxwing-patch
    JR1ZHKyRFLKO3QGvVxzIGWpWYoBCni7jfrzeM3IGAQvH6DricWvAJbmZVpCnJ1baSR2q8NRJDj71uU7jmtgBCA==

    """

  private static let legacy = """
    untrusted comment: signature from minisign secret key
    RWTNzD54tXRqDKyS5GzK/gBi7ss5PIFdcJaxhcMwy/meMIurZfw1LCzXjBwXJFmxYuThe/OEQbU3WipIwl+tMpM30ev/V65yngk=
    trusted comment: waxwing-patch
    uK+2bUa92ZJcABpTWeKkA+9abzmSglnKshyTSU96gWxb2JmnqDqo9Ad/opZHOxk2TomHJnaylecZox7E/6TyAQ==

    """

  private static let signers = "alice@ops \(sshKey)\ncarol@ops minisign \(minisignKey)\n"

  private func verdict(_ signature: String, suffix: String, text: String = "return 1\n") -> String {
    Signing.verdict(Signing.bundle(text, Array(signature.utf8), suffix: suffix), Self.signers)
  }

  @Test func `a signature of ssh-keygen and one of minisign are accepted`() {
    #expect(verdict(Self.ssh, suffix: "sig") == "alice@ops")
    #expect(verdict(Self.minisign, suffix: "minisig") == "carol@ops")
  }

  @Test func `neither is accepted for other bytes`() {
    #expect(verdict(Self.ssh, suffix: "sig", text: "return 2\n").contains("not signed these bytes"))
    #expect(
      verdict(Self.minisign, suffix: "minisig", text: "return 2\n")
        == "p.lua.minisig: the key minisign's C6A74B5783ECCCD has not signed these bytes: the patch "
        + "or the signature was changed")
  }

  @Test func `other keys are refused by their type, minisign's old form by its reason`() {
    #expect(
      verdict(Self.ecdsa, suffix: "sig")
        == "p.lua.sig: it is made with a key of type ecdsa-sha2-nistp256; only ssh-ed25519 is accepted"
    )
    #expect(
      verdict(Self.legacy, suffix: "minisig")
        == "p.lua.minisig: it has minisign's old format, which signs the file itself and not its hash"
    )
  }

  @Test func `a signature is of the kind that its name says`() {
    #expect(verdict(Self.minisign, suffix: "sig").contains("-----BEGIN SSH SIGNATURE-----"))
    #expect(verdict(Self.ssh, suffix: "minisig").contains("untrusted comment:"))
  }

  @Test func `keys are named as the tools name them`() throws {
    let lists = try SignerLists(allowed: Array(Self.signers.utf8), revoked: [])
    let ssh = try lists.verify(Signing.bundle("return 1\n", Array(Self.ssh.utf8)), at: 0)
    #expect(ssh.format == .ssh)
    #expect(ssh.key.hasPrefix("SHA256:") && ssh.key.utf8.count == 50)
    let bundle = Signing.bundle("return 1\n", Array(Self.minisign.utf8), suffix: "minisig")
    let minisign = try lists.verify(bundle, at: 0)
    #expect(minisign == Signer(identity: "carol@ops", key: Self.minisignKey, format: .minisign))
  }
}

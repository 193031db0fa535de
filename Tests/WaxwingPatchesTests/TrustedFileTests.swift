// SPDX-License-Identifier: MIT

import Foundation
import SignatureOracle
import Testing
import WaxwingPatches

/// Files that decide who may do what.
@Suite struct TrustedFileTests {
  let tools: StockTools

  init() throws {
    tools = try StockTools()
    try tools.run("mkdir keys elsewhere && echo text > keys/list && chmod 644 keys/list")
  }

  private func problem(_ name: String) -> String {
    do throws(TrustedFile.Problem) {
      let bytes = try TrustedFile.read(tools.path(name), limit: 100)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  @Test func `a file of root or ours that nobody else can write is read`() throws {
    #expect(problem("keys/list") == "text\n")
    #expect(problem("keys/../keys/./list") == "text\n")
    #expect(problem("keys/none") == "missing" && problem("none/list") == "missing")
  }

  @Test func `a file that others can write is refused, and one in a folder where they can`()
    throws
  {
    try tools.run("chmod 664 keys/list")
    #expect(problem("keys/list").contains("it can be written by other users"))
    try tools.run("chmod 644 keys/list && chmod 777 keys")
    #expect(problem("keys/list").contains("keys can be written by other users"))
    try tools.run("chmod 1777 keys")
    #expect(problem("keys/list").contains("keys can be written by other users"))
    try tools.run("chmod 755 keys && mkdir keys/deep && echo x > keys/deep/list && chmod 777 keys")
    #expect(problem("keys/deep/list").contains("keys can be written by other users"))
    try tools.run("chmod 1777 keys")
    #expect(problem("keys/deep/list") == "x\n")
  }

  @Test func `a symbolic link is followed, if others can change neither it nor its target`()
    throws
  {
    try tools.run("ln -s ../keys/list elsewhere/list && ln -s keys linked && ln -s loop loop")
    #expect(problem("elsewhere/list") == "text\n" && problem("linked/list") == "text\n")
    #expect(problem("loop").contains("symbolic links"))
    try tools.run("chmod 777 keys")
    #expect(problem("elsewhere/list").contains("keys can be written"))
    #expect(problem("linked/list").contains("keys can be written"))
    try tools.run("chmod 755 keys && chmod 777 elsewhere")
    #expect(problem("elsewhere/list").contains("elsewhere can be written"))
  }

  @Test func `what is no file, or too large, is refused`() throws {
    #expect(problem("keys").contains("not a file") || problem("keys").contains("folder"))
    try tools.run("mkfifo keys/pipe; head -c 101 /dev/zero > keys/large; chmod 644 keys/*")
    #expect(problem("keys/pipe").contains("it is not a file"))
    #expect(problem("keys/large").contains("more than 100 bytes"))
  }

  @Test(.enabled(if: geteuid() == 0)) func `a file of another user is refused`() throws {
    try tools.run("chown 1 keys/list")
    #expect(problem("keys/list").contains("belongs to another user (uid 1)"))
    try tools.run("chown 0 keys/list && chown 1 keys")
    #expect(problem("keys/list").contains("belongs to another user (uid 1)"))
  }

  @Test func `the lists of a verifier are such files`() throws {
    let verifier = PatchVerifier(
      signers: tools.path("keys/list"), revoked: tools.path("keys/revoked"))
    let bundle = Signing.bundle("return 1", Array("-----BEGIN SSH SIGNATURE-----\n".utf8))
    #expect(verifier.hasSigners)
    try tools.run("chmod 666 keys/list")
    let error = #expect(throws: PatchError.self) { try verifier.verify(bundle, at: 0) }
    #expect(error?.message == "it can be written by other users, so nobody is trusted")
    #expect(verifier.hasSigners)
    try tools.run("rm keys/list")
    #expect(!verifier.hasSigners)
    let missing = #expect(throws: PatchError.self) { try verifier.verify(bundle, at: 0) }
    #expect(
      missing?.code == .signature && missing?.message.contains("no list of authorised keys") == true
    )
  }
}

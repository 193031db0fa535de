// SPDX-License-Identifier: MIT

import SignatureOracle
import Testing
import WaxwingPatches

/// What key lists say.
@Suite struct AllowedSignersTests {
  let signing: Signing

  init() throws { signing = try Signing() }

  private func verdict(_ list: String) throws -> String {
    Signing.verdict(try signing.bundle(), list)
  }

  @Test func `the first name that a line lets in is the signer`() throws {
    for (names, name) in [
      ("alice@ops,alice", "alice@ops"), ("!bob,*", "*"), ("\"alice b\"", "alice b"),
      ("!alice,alice@ops", "alice@ops"), ("alice,!ali*,a@b", "a@b"),
    ] { #expect(try verdict("\(names) \(signing.alice)\n") == name) }
    #expect(try verdict("*,!* \(signing.alice)\n").contains("the key is not in it"))
    #expect(try verdict("!alice \(signing.alice)\n").contains("the key is not in it"))
  }

  @Test func `a later line counts where an earlier one does not`() throws {
    let list = """
      # the old entry
      alice valid-before="20200101" \(signing.alice)
      \talice@ops,alice namespaces="waxwing-patch" \(signing.alice) new\r

      """
    #expect(try verdict(list) == "alice@ops")
  }

  @Test func `a line that is malformed allows nobody, and is named with its reason`() throws {
    let key = signing.alice
    let lines = [
      ("alice", "no key after the names"),
      ("alice \(key.prefix(40))", "the key cannot be read"),
      ("alice cert-authority \(key)", "cert-authority"),
      ("alice valid-before=\"tomorrow\" \(key)", "its valid-before is not a time"),
      ("alice valid-before=20270101 \(key)", "a value is not in quotes"),
      ("alice from=\"10.0.0.1\" \(key)", "its options are not"),
      ("alice namespaces=\"a\",namespaces=\"b\" \(key)", "it has namespaces twice"),
      ("alice valid-after=\"20270101\",valid-before=\"20260101\" \(key)", "is not later"),
      ("alice namespaces=\"a \(key)", "neither a key nor options"),
      ("\"alice \(key)", "no key after the names"),
      ("alice minisign RWQxxxx", "the key cannot be read"),
      (Array(repeating: "a", count: 65).joined(separator: ",") + " \(key)", "more than 64 names"),
      (String(repeating: "a", count: 17_000) + " \(key)", "more than 16384 bytes"),
    ]
    for (line, reason) in lines {
      #expect(try verdict(line + "\n").contains("the key is not in it"), "\(line)")
      let lists = try SignerLists(allowed: Array("# list\n\(line)\n".utf8), revoked: [])
      #expect(lists.mistakes.count == 1 && lists.mistakes[0].hasPrefix("allowed_signers:2: "))
      #expect(lists.mistakes[0].contains(reason), "\(lists.mistakes)")
      #expect(try verdict("\(line)\nbob \(key)") == "bob", "\(line)")
    }
  }

  @Test func `patterns cost no more than their length`() throws {
    let stars = String(repeating: "a*", count: 400) + "b"
    let list = "\(stars),x \(signing.alice)\n"
    #expect(try verdict(String(repeating: list, count: 50)) == stars)
  }

  @Test func `keys of other types stand beside ours`() throws {
    let rsa = try signing.tools.makeKey("rsa", type: "rsa")
    let lists = try SignerLists(
      allowed: Array("bob \(rsa)\n\(signing.signers)".utf8), revoked: Array("\(rsa)\n".utf8))
    #expect(lists.mistakes == [])
    #expect(try lists.verify(try signing.bundle(), at: Signing.time).identity == "alice@ops")
  }
}

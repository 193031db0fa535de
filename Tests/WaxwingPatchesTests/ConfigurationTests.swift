// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingPatches
import WaxwingTestSupport

@Suite struct ConfigurationTests {
  private static let limits = ["instructions", "milliseconds", "most-memory"]

  private static func read(_ text: String) -> Result<Configuration, ConfigurationErrors> {
    do throws(ConfigurationErrors) {
      return .success(
        try ConfigurationReader.parse(Array(text.utf8), file: "bankd.conf", limitNames: limits))
    } catch {
      return .failure(error)
    }
  }

  private static func mistakes(_ text: String) -> [String] {
    guard case .failure(let errors) = read(text) else { return [] }
    return errors.errors.map(\.description)
  }

  @Test func `a whole file`() throws {
    let found = try Self.read(
      """
      # Who may do what.
      observe = group:0, user:65534
      operate=user:4711   # a number that has no name
      own = user:root
      unsigned = refuse
      audit-required = yes
      signers = /etc/waxwing/allowed_signers
      revoked = /etc/waxwing/revoked_signers
      store = /var/lib/waxwing
      audit = /var/log/waxwing/bankd.audit
      limits.instructions = 20k
      limits.most-memory = allow 2G\r
      \tprotect Bank.Auth, *.password.get
      mask pass*, token
      signer alice@ops may override Orders.*, Pricing.*
      signer alice@ops may override Fees
      """
    ).get()
    #expect(
      found.grants == [
        "observe": [.group(0), .user(65534)], "operate": [.user(4711)], "own": [.user(0)],
      ])
    #expect(found.socketGroup == 0)
    #expect(found.allowsUnsigned == false)
    #expect(found.demandsAudit == true)
    #expect(found.signers == "/etc/waxwing/allowed_signers")
    #expect(found.revoked == "/etc/waxwing/revoked_signers")
    #expect(found.store == "/var/lib/waxwing")
    #expect(found.audit == "/var/log/waxwing/bankd.audit")
    #expect(found.limits["instructions"] == .init(figure: 20480, mayRaise: false))
    #expect(found.limits["most-memory"] == .init(figure: 2 << 30, mayRaise: true))
    #expect(found.rules.protected.map(\.text) == ["Bank.Auth", "*.password.get"])
    #expect(found.maskedNames == ["pass*", "token"])
    #expect(
      found.rules.allowed["alice@ops"]?.map(\.text) == ["Orders.*", "Pricing.*", "Fees"])
  }

  @Test func `an empty file says nothing`() throws {
    #expect(try Self.read("").get() == Configuration())
    #expect(try Self.read("\n  # only this\n\r\n").get() == Configuration())
  }

  /// Wrong files, and what is said of them.
  static let wrong: [(text: String, answer: String)] = [
    ("operat = user:root", "bankd.conf:1: there is no key `operat`; did you mean 'operate'?"),
    ("\nlimits.most-memry = 1", "there is no key `limits.most-memry`; did you mean 'limits.most-"),
    ("limits.nothing = 1", "there is no key `limits.nothing`"),
    ("unsigned = yes", "bankd.conf:1: `unsigned` is `refuse` or `allow`, not `yes`"),
    ("unsigned =", "bankd.conf:1: `unsigned` has no value"),
    (
      "store = var/lib", "bankd.conf:1: `store` is not an absolute path: `var/lib`; begin it with /"
    ),
    ("limits.instructions = -1", "`limits.instructions` is not a number: `-1`"),
    ("limits.instructions = 1.5", "is not a number"),
    ("limits.instructions = 99999999999G", "is not a number"),
    ("limits.instructions = allow", "is not a number"),
    ("operate = root", "`root` names neither a user nor a group; write `user:NAME` or `group:"),
    ("operate = user:", "`user:` names neither a user nor a group"),
    ("operate = user:root,", "`` names neither a user nor a group"),
    ("operate = user:nobody-of-this-name", "there is no user `nobody-of-this-name` on this system"),
    ("operate = group:no-such-group", "there is no group `no-such-group` on this system"),
    ("socket-group = user:root", "there is no group `user:root` on this system"),
    (
      "own = user:root\n own = user:root",
      "bankd.conf:2: `own` is set twice; it is set in line 1"
    ),
    ("protcet Bank.*", "neither `key = value` nor a rule; did you mean 'protect'?"),
    ("protect", "is not a pattern of function names; write `protect PATTERN`"),
    ("mask a b", "`a b` is no name; write `mask NAME, NAME`"),
    ("protect a b", "`a b` is not a pattern of function names"),
    ("protect Bank.*,,Orders.*", "`` is not a pattern"),
    ("signer alice may Orders.*", "the line about a signer is incomplete"),
    ("signer alice may override", "the line about a signer is incomplete"),
    ("hello", "neither `key = value` nor a rule; rules begin with `protect`, `mask` or `signer`"),
    ("observe = group:0, group:1", "roles are given to 2 groups, but the socket can belong to one"),
    ("observe = user:4711", "roles are given to users who cannot reach the socket"),
    ("own = user:root\0", "the configuration is not UTF-8 text"),
  ]

  @Test(arguments: wrong)
  func `a line that is wrong is refused with its place and what is meant`(
    text: String, answer: String
  ) {
    let mistakes = Self.mistakes(text)
    #expect(mistakes.contains { $0.contains(answer) }, "\(mistakes)")
  }

  @Test func `every mistake is told, not the first alone`() {
    #expect(
      Self.mistakes("a = 1\nunsigned = refuse\nb = 2\nprotect\n").map { $0.prefix(13) }
        == ["bankd.conf:1:", "bankd.conf:3:", "bankd.conf:4:"])
    #expect(Self.mistakes(String(repeating: "x\n", count: 1000)).count == 20)
  }

  @Test func `a file that does not hold says where patches are kept all the same`() {
    func store(_ text: String) -> String? {
      do throws(ConfigurationErrors) {
        _ = try Self.read(text).get()
        return "it holds"
      } catch {
        return error.store
      }
    }
    #expect(store("store = /srv/patches\nnonsense\n") == "/srv/patches")
    #expect(store("nonsense\n") == nil)
    #expect(store("store = srv/patches\n") == nil)
  }

  @Test func `a file that others may write does not hold`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("own = user:root\n".utf8, to: "bankd.conf")
    func read() throws(ConfigurationErrors) -> Configuration? {
      try ConfigurationReader.read(path, limitNames: [])
    }
    #expect(try read()?.grants == ["own": [.user(0)]])
    #expect(try ConfigurationReader.read(folder.path + "/none.conf", limitNames: []) == nil)
    #expect(chmod(path, 0o666) == 0)
    let error = #expect(throws: ConfigurationErrors.self) { try read() }
    #expect(
      error?.errors.first?.message
        == "the configuration is not used: it can be written by other users")
    #expect(chmod(path, 0o644) == 0 && chmod(folder.path, 0o777) == 0)
    #expect(throws: ConfigurationErrors.self) { try read() }
    #expect(chmod(folder.path, 0o700) == 0)
  }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingBridge

@Suite struct WrittenDefaultTests {
  @Test(arguments: [
    ("nil", "nil"), ("true", "true"), ("[]", "{}"), ("[:]", "{}"), ("\"a b\"", "\"a b\""),
    ("0", "0"),
    ("-1_000", "-1000"), ("0x1F", "31"), ("0b101", "5"), ("0o17", "15"), ("1.5", "1.5"),
    ("{ _ in }", "function(...) return ... end"), ("{ }", "function(...) return ... end"),
    ("{ _, _ in }", "function(...) return ... end"),
    ("80 * 1024", "80 * 1024"), ("1 << 14", "1 << 14"),
  ])
  func `literals are written as Lua writes them`(text: String, lua: String) throws {
    let value = try #require(WrittenDefault(text))
    #expect(value.base == .none)
    #expect(value.lua == lua)
  }

  @Test(arguments: [
    (".ok", WrittenDefault.Base.parameter, "t[\"ok\"]"),
    (".`default`", .parameter, "t[\"default\"]"),
    (".init()", .parameter, "t()"),
    (".init(major: 1, minor: 1)", .parameter, #"t{["major"] = 1, ["minor"] = 1}"#),
    (".init(for: 1)", .parameter, #"t{["for"] = 1}"#),
    (".seconds(60)", .parameter, "t[\"seconds(_:)\"](60)"),
    (".hostname()", .parameter, "t[\"hostname\"]()"),
    ("Allocator()", .named("Allocator"), "t()"),
    ("Logger(label: \"x\")", .named("Logger"), #"t{["label"] = "x"}"#),
    ("Amount(5)", .named("Amount"), "t(5)"),
    ("Server.Configuration()", .named("Server.Configuration"), "t()"),
    ("Server.defaultPort", .named("Server"), "t[\"defaultPort\"]"),
    ("Self.shared", .named("Self"), "t[\"shared\"]"),
    ("T.self", .parameter, "t"),
  ])
  func `members are looked up on their type`(
    text: String, base: WrittenDefault.Base, lua: String
  ) throws {
    let value = try #require(WrittenDefault(text))
    #expect(value.base == base)
    #expect(value.lua == lua)
  }

  @Test(arguments: [
    "", "x", "{ _ in [:] }", "{ $0 }", "{ x in }", "f()", ".ok.other", "a.b().c", "\"\\n\"",
    "\"\\(x)\"", "[1, 2]",
    ".init(x: y)",
    ".init(x: .ok)", ".a-b", "1 / 2", "#line", "0xZZ", "t]; os.exit()", "X(\"a\", \"b, c\")",
    "(1, 2)", "é.b",
  ])
  func `what is none of these is not made`(text: String) {
    #expect(WrittenDefault(text) == nil)
  }
}

// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// Parameters that are autoclosures, and values where Swift takes literals.
  @Suite struct AutoclosureTests {
    @Test func `an autoclosure takes a value or a function`() throws {
      expectEqual(
        try answer(
          """
          local l, calls = Lazies(), 0
          local function count() calls = calls + 1 return calls end
          local function text(f, ...) return tostring(f(l, ...)) end
          return table.concat({
            text(l.twice, 4), text(l.twice, count), text(l.optional), text(l.optional, nil), text(l.optional, 3),
            text(l.either, 0, 7), text(l.either, 5, error), text(l.throwing, "t"), text(l.pair, { 1, "one" }),
            text(l.pair, { 2, name = "two" }), text(l.generic, 5), text(l.generic, "s"), text(l.generic, { 1, 2 }),
          }, " ")
          """), "8 3 -1 -1 3 7 5 <t> 1 one 2 two Int 5 String s Array<Int> [1, 2]")
    }

    @Test func `what is no value of an autoclosure's result is refused`() throws {
      let no = "argument 1 of Bank.Lazies."
      expectEqual(
        try answer("return failure(Lazies().twice, Lazies(), 'x')"),
        no + #"twice(_:): expected Int, or a function that returns one, got string "x""#)
      expectEqual(
        try answer("return failure(Lazies().twice, Lazies())").hasPrefix(
          no + "twice(_:): expected Int, got nothing; "), true)
      expectEqual(
        try answer("return failure(Lazies().keep, Lazies(), 5)"),
        no + "keep(_:): expected Bank.Token, or a function that returns one, got integer 5")
      expectContains(
        try answer("local l = Lazies() return failure(l.log, l, 5)"),
        "expected Bank.Memo, or a function that returns one, got integer 5")
      expectContains(
        try answer("local l = Lazies() return failure(l.log, l, 'm', { a = print })"),
        "expected Bank.Detail at a, got function")
    }

    @Test func `a logger takes a message and metadata as a Swift programmer writes them`() throws {
      let all = try answer(
        """
        local l = Lazies()
        return table.concat({
          l:log("hello"), l:log("b", { user = "x", n = 5, list = { "a", "b" }, table = { c = "d" } }),
          l:log("c", { user = "string" }, "here"), l:log{ "d", source = "there" }, l:log("e", { a = Detail.unknown }),
          l:log("f", nil, "g"), l:log(fallback(function() return "h" end, "i"), {}),
        }, "\\n")
        """)
      let lines = all.split(separator: "\n").map { $0.split(separator: " ").dropLast() }
      expectEqual(
        lines.map { $0.joined(separator: " ") },
        [
          "hello - -", "b {list=[a,b],n=#5,table={c=d},user=x} -", "c {user=string} here",
          "d - there", "e {a=?} -", "f - g", "h {} -",
        ])
    }

    @Test func `the closure of a value lives as long as Swift holds it, and after its patch`()
      throws
    {
      let alive = Token.alive
      let lazies = Lazies()
      try withPatch(
        """
        local P, Token = class "Bank.Lazies", class "Bank.Token"
        function P:shown(n)
          self:keep(Token(n())) self:keep(self:last())
          return self:ORIGshown(n() + 1)
        end
        """
      ) {
        expectEqual(lazies.shown(6), 7)
        expectEqual(lazies.last()?.number, 6)
        expectEqual(faults(), [])
      }
      expectEqual(lazies.shown(6), 6)
      expectEqual(lazies.last()?.number, 6)
      expectEqual(Token.alive, alive + 1)
      lazies.drop()
      expectEventually(Token.alive, alive)
    }

    @Test func `a Lua value is a literal of a type that has such literals`() throws {
      let lazies = Lazies()
      lazies.memo = "kept"
      try withPatch(
        """
        local L = class "Bank.Lazies"
        function L:latest() return self.memo == Memo.init_stringLiteral("kept") and "new" or "wrong" end
        function L:shown() self.memo, self.memos, self.details = "p", { "q", "r" }, { s = "t" } return 1 end
        """
      ) {
        expectEqual(lazies.latest(), "new")
        expectEqual(lazies.shown(0), 1)
        expectEqual(lazies.memo, "p")
        expectEqual(lazies.memos, ["q", "r"])
        expectEqual("\(lazies.details)", #"["s": t]"#)
        expectEqual(faults(), [])
      }
      expectEqual(
        try answer(
          """
          local l = Lazies()
          return table.concat({
            l:write("a"), l:write{ text = "b" }, l:write_all{ "c", "d" }, l:weigh(5), l:weigh(0.5), l:weigh(true),
            l:weigh{ grams = 3 }, l:detail(5), l:detail("s"), l:detail{ 1, "z" }, l:detail{ x = {} and 2 },
            l:detail{ case = "number", 4 }, l:detail("number"),
          }, " ")
          """), "memo a memo b [c, d] 5.0 500.0 1000000.0 3.0 #5 s [#1,z] {x=#2} #4 number")
    }

    @Test func `a type is named by its object or in quotes`() throws {
      expectEqual(
        try answer(
          """
          local l = Lazies()
          return table.concat({
            l:promise(String), l:promise("String"), l:promise("[String: Int?]"), l:promise("Void"), l:promise{ of = Int },
            l:promise("(Int, name: Bank.Memo)"), l:promise{ of = "[Memo]", line = 4 }, module("Bank").typed("()"),
          }, " ")
          """),
        "String String Dictionary<String, Optional<Int>> () Int (Int, name: Memo) Array<Memo> ()")
      expectContains(
        try answer("return failure(Lazies().promise, Lazies())"),
        #"pass the type as `of`: `String`, or in quotes, as `"[String]"`"#)
      expectContains(
        try answer("return failure(Lazies().failed, Lazies(), 'x')"),
        "only from where the result goes, which a call from Lua does not say")
      expectContains(
        try answer("return failure(Lazies().promise, Lazies(), 'Nonsense')"),
        "`Nonsense` is not a type in this process")
    }

    @Test(arguments: [
      #"("["):rep(5000) .. "Int" .. ("]"):rep(5000)"#, #""Int" .. ("?"):rep(3000)"#,
      #"("["):rep(33) .. "Int" .. ("]"):rep(33)"#, #"("Array<"):rep(40) .. "Int" .. (">"):rep(40)"#,
      #"("("):rep(100) .. "Int" .. (")"):rep(100)"#,
    ])
    func `a type in quotes is bounded in length and depth`(text: String) throws {
      expectContains(
        try answer("return failure(Lazies().promise, Lazies(), \(text))"),
        "is not a type in this process")
      expectEqual(
        try answer("return tostring(#Lazies():promise(('['):rep(32) .. 'Int' .. (']'):rep(32)))"),
        "\(32 * 7 + 3)")
    }

    @Test func `what may be a case or a literal is refused`() throws {
      expectContains(
        try answer("return failure(Lazies().detail, Lazies(), 'unknown')"),
        #"got string "unknown", the name of a case and a literal of the type; write `Bank.Detail.unknown`"#
      )
      expectContains(
        try answer("return failure(Lazies().detail, Lazies(), {})"), "expected Bank.Detail")
    }

    @Test func `overloads are chosen without making literals`() throws {
      expectEqual(
        try answer(
          """
          local l = Lazies()
          return table.concat({
            l:open("a"), l:open_all{ a = "b" }, Lazies["open(_: Bank.Strict)"](l, "strict"),
          }, " ")
          """), "text a texts 1 strict strict")
    }

    @Test func `an initializer for literals that the patch overrides makes the values`() throws {
      let lazies = Lazies()
      try withPatch(
        """
        local L, M = class "Bank.Lazies", class "Bank.Memo"
        function M:init_stringLiteral(text) return self:ORIGinit_stringLiteral(text .. "!") end
        function L:latest() return "new" end
        """
      ) {
        expectEqual(lazies.latest().description, "new!")
        expectEqual(faults(), [])
      }
    }
  }
}

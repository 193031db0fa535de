// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing check` of patches for bankd: with its file, which is not run, and with the daemon.
@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(
    _ text: String, _ arguments: [String] = [], of product: String = "bankd"
  ) throws -> [String] {
    let text = text.hasPrefix("@") ? Self.account + text.dropFirst() : text
    try folder.write(text.utf8, to: "a.lua")
    let program = try BuiltProduct(product).path
    let result = try Command(
      try BuiltProduct("waxwing").path, ["check", "a.lua", "--program", program] + arguments,
      directory: folder.path
    ).run()
    #expect(result.standardError.isEmpty)
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    let hasErrors = lines.contains { $0.contains(": error: ") }
    expectEqual(result.status, .exited(hasErrors ? 3 : 0))
    return lines.dropLast().map { String($0) }
  }

  @Test func `what hides a part of a type object is told, with what gives the part`() throws {
    let text = """
      local V, P = class "SweepFixture.PartValues", patching "SweepFixture.PartValues"
      local S = patching(P.static)
      function V.get:value() return original(self) end
      function V.static.get:many() return original(self) end
      function P.static.get:many() return original(self) end
      function S.get:many() return original(self) end
      function P:nothing() end
      local E = class "SweepFixture.PartCases"
      function E:plain() return self.case end
      local X = patching "SweepFixture.Nowhere"
      """
    let found = try check(text, of: "sweepd")
    expectEqual(found.count, 6)
    for (line, part) in zip(
      found,
      [
        "3:16: warning: `PartValues.get` is a value of the program's, and no place for overrides; write "
          + "`patching(PartValues).get`", "write `patching(PartValues).static`",
        "write `patching(patching(PartValues).static).get`",
        "7:12: error: `SweepFixture.PartValues` has no function `nothing`",
        "`case` is a member of `SweepFixture.PartCases` here; `patching(value, \"case\")` gives Waxwing's",
        "has no type `SweepFixture.Nowhere`",
      ])
    {
      expectContains(line, part)
    }
  }

  /// What a text that begins with `@` has in front.
  private static let account = "local Account = class 'bankd.Account'\n"

  /// A patch, and how what is found in it begins.
  private static let mistakes: [(text: String, expected: String)] = [
    (
      "local A = class 'bankd.Acount'",
      "1:17: error: bankd has no type `bankd.Acount`; did you mean `bankd.Account`"
    ),
    (
      "@function Account:withdraw(amount, memo) return true, 1 end",
      "2:54: error: the override returns 2 values, and `withdraw(_:memo:)` has 1 result; leave out what would be"
    ),
    (
      "@function Account.set:title(text) return 1 end",
      "2:41: warning: the override returns 1 value, and `title` returns none; leave out what would be dropped"
    ),
    (
      "@function Account:withdraw(amount, memo) end",
      "2:18: error: the override returns nothing, and `withdraw(_:memo:)` has a result, `Bool`; return a value"
    ),
    (
      "@function Account:withdraw(amount, memo) if amount > 1 then return end end",
      "2:18: error: the override returns nothing, and `withdraw(_:memo:)` has a result, `Bool`; return a value"
    ),
    (
      "@function Account:withdraw(amount, memo) return self:foreclosed(1) end",
      "2:53: error: `bankd.Account` has no method `foreclosed` in this program: its source has none, or nothing calls"
    ),
    (
      "@function Account:withdraw(amount, memo) return memo:hasPrefix('a') end",
      "2:53: error: a `String` is a string in Lua, which has no `hasPrefix`; write `String.hasPrefix(value, …)`"
    ),
    (
      "@function Account:withdraw(amount, memo) return self.title.isEmpty end",
      "2:59: warning: a `String` is a string in Lua, which has no `isEmpty`: this is nil; write `String.isEmpty(value)`"
    ),
    (
      "@function Account:withdraw(amount, memo) return amount.magnitude > 1 end",
      "2:55: error: an `Int` is a number in Lua, which has no `magnitude`; write `Int.magnitude(value)`"
    ),
    (
      "@function Account:withdraw(amount, memo) return self.entries.count > 1 end",
      "2:61: warning: an `Array` is a table in Lua, which has no `count`: this is nil; write `#value`"
    ),
    (
      "@function Account:withdraw(amount, memo) return Account.foreclosed(1) end",
      "2:56: error: `bankd.Account` has no static member `foreclosed` in this program: its source has none, or "
    ),
    (
      "return module('bankd').foreclosed(1)",
      "1:24: error: module `bankd` has no function `foreclosed` in this program: its source has none, or nothing calls"
    ),
    ("local m = module 'bnkd'", "1:18: error: bankd has no module `bnkd`; did you mean `bankd`?"),
    (
      "@function Account:withdraw(...) local r = { pcall(function(...) return original(self, ...) end, ...) } end",
      "2:44: warning: the objects of the call may live on until Lua's collector runs"
    ),
    (
      "@function Account:withdrow(amount, memo) end",
      "2:18: error: `bankd.Account` has no function `withdrow` that can be "
    ),
    (
      "@Account['withdraw(_:)'] = function(self) end",
      "2:9: error: `bankd.Account` has no function `withdraw(_:)` that can be "
    ),
    (
      "@function Account:title() end",
      "2:18: error: `bankd.Account` has no function `title` that can be overridden; "
    ),
    (
      "@function Account.get:tilte() end",
      "2:22: error: `bankd.Account` has no getter `tilte` that can be overridden; "
    ),
    (
      "@function Account:init(id) end",
      "2:18: error: `init` is ambiguous; write one of `init(id:"
    ),
    (
      "@function Account:withdraw(amount, memo) return self:ORIGwithdrow(amount, memo) end",
      "2:53: error: `bankd.Account` has no function `withdrow` that `ORIGwithdrow` "
    ),
    (
      "@function Account:withdraw(amount, memo) return self:ORIGwithdraw(self, 1, 2) end",
      "2:53: error: `ORIGwithdraw` is called with 3 arguments, and `withdraw(_:memo:)` takes 2"
    ),
    (
      "@function Account:withdraw(amount, memo) return original() end",
      "2:48: error: `original` is called without `self`; pass `self` first"
    ),
    (
      "@function Account:withdraw(amount, memo, extra) end",
      "2:18: error: the override takes 4 values with `self`, and `withdraw(_:memo:)` "
    ),
    (
      "@function Account:withdraw(amount, memo) return self.balanse > 1 end",
      "2:53: error: `bankd.Account` has no member `balanse`; did you mean `balance`?"
    ),
    (
      "@function Account:withdraw(amount, memo) local a = self a.ownerr = 1 end",
      "2:58: error: `bankd.Account` has no member `ownerr`; did you mean `owner`?"
    ),
    (
      "@function Account:withdraw(amount, memo) return self:deposti(1, memo) end",
      "2:53: error: `bankd.Account` has no member `deposti`; did you mean `deposit`?"
    ),
    (
      "@local T = class 'bankd.StatementTable'\nfunction T:lines() return self.account.balanse end",
      "3:40: error: `bankd.Account` has no member `balanse`; did you mean `balance`?"
    ),
    (
      "local B = class 'bankd.StatementSource'\nlocal E = class 'bankd.EntrySource'\n"
        + "function E:label(t, row) local a = t.account a:depositt(1, 'x') return a.owner end",
      "3:48: error: `bankd.Account` has no member `depositt`; did you mean `deposit`?"
    ),
    (
      "@function Account:makeTable(limit) local t = original(self, limit) return t.acount end",
      "2:76: error: `bankd.StatementTable` has no member `acount`; did you mean `account`?"
    ),
    (
      "@function Account:statement(n) return self:makeTable(n).acount end",
      "2:56: error: `bankd.StatementTable` has no member `acount`; did you mean `account`?"
    ),
    (
      "@function Account:withdraw(amount, memo) return self:ORIGwithdraw(amount) end",
      "2:53: error: `ORIGwithdraw` is called with 1 argument, and `withdraw(_:memo:)` needs 2"
    ),
    (
      "@function Account:withdraw(amount, memo) self:deposit(1) return true end",
      "2:46: error: `deposit` is called with 1 argument, and `deposit(_:memo:)` needs 2"
    ),
    (
      "@function Account:withdraw(amount, memo) self:deposit(1, 'a', 2) return true end",
      "2:46: error: `deposit` is called with 3 arguments, and `deposit(_:memo:)` takes 2"
    ),
    (
      "@function Account:withdraw(amount, memo) self:deposit('all', memo) return true end",
      "2:54: error: argument 1 of `deposit(_:memo:)` is an `Swift.Int`, and a string cannot "
    ),
    (
      "@function Account:withdraw(amount, memo) return original(self, 1, {}) end",
      "2:66: error: argument 2 of `withdraw(_:memo:)` is a `Swift.String`, and a table cannot "
    ),
    (
      "@function Account:withdraw(amount, memo) if amount > 1 then return 'no' end return true end",
      "2:67: error: the result of `withdraw(_:memo:)` is a `Swift.Bool`, and a string cannot "
    ),
    (
      "@function Account.get:title() return nil end",
      "2:37: error: the result of `title` is a `Swift.String`, and nil cannot become one"
    ),
    (
      "@function Account:withdraw(amount, memo) self.balance = 'all' return true end",
      "2:56: error: the property `balance` is an `Swift.Int`, and a string cannot become one"
    ),
    (
      "@function Account:deposit(amount, memo) local a = self a.balance = amount > 5 end",
      "2:67: error: the property `balance` is an `Swift.Int`, and a boolean cannot become one"
    ),
    (
      "@function Account:deposit(amount, memo) local none = nil self.title = none end",
      "2:70: error: the property `title` is a `Swift.String`, and nil cannot become one"
    ),
    (
      "@function Account:withdraw(amount, memo) self.id = 'x' return true end",
      "2:46: error: `bankd.Account.id` is a `let`: it cannot be set"
    ),
    (
      "@function Account.withdraw(amount, memo) end",
      "2:18: warning: the first value is `self`, which is called `amount` here"
    ),
    (
      "local m = module 'bankd'\nfunction m:accountNumber(id) end",
      "2:12: error: a free function gets no `self`"
    ),
    (
      "return Acount",
      "1:8: error: undefined variable `Acount`: bankd has no such type or module; "
    ),
    ("return bankd", "1:8: error: undefined variable `bankd`; write `module \"bankd\"`"),
    ("patch { program = 'shopd' }", "1:1: error: the patch is for `shopd`; this is `bankd`"),
    ("patch { build = '00112233' }", "1:1: error: the patch is for build 00112233; this is"),
  ]

  /// What is found in patches, of which each is a file of its own.
  private func check(each texts: [String], against program: [String]) throws -> [[String]] {
    for (index, text) in texts.enumerated() {
      let text = text.hasPrefix("@") ? Self.account + text.dropFirst() : text
      try folder.write(text.utf8, to: "\(index).lua")
    }
    let names = texts.indices.map { "\($0).lua" }
    let result = try Command(
      try BuiltProduct("waxwing").path, ["check"] + names + program, directory: folder.path
    ).run()
    let lines = result.standardOutput.split(separator: "\n").dropLast()
    return names.map { name in
      lines.filter { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
    }
  }

  @Test func `each mistake is found in the file of the program, and against the daemon`() throws {
    let texts = Self.mistakes.map(\.text)
    let found = try check(each: texts, against: ["--program", try BuiltProduct("bankd").path])
    for (mistake, found) in zip(Self.mistakes, found) {
      #expect(found.count == 1 && found[0].hasPrefix(mistake.expected), "\(mistake): \(found)")
    }
    let stage = try Stage()
    try expectEqual(check(each: texts, against: ["--socket", stage.socket, "--static"]), found)
  }

  /// Patches that are right, or of which nobody can know it.
  private static let sound = [
    "local URL = class 'Foundation.URL'", "return String, Account, Int, Data",
    "local A = class 'Account'\n"
      + "A:after('init(id:owner:nickname:withdrawalLimit:)', function(self) end)",
    "pcall(function() return class 'bankd.Nothing' end)",
    "when_loaded('Plugin', function() local T = class 'Plugin.T' function T:f() end end)",
    "-- function Account:withdrow() end\nlocal s = [[class 'x' ORIGnone]]\nreturn s",
    "waxClass{'bankd.Account'}\n"
      + "function withdraw_memo(self, a, b) return self:ORIGwithdraw_memo(a, b) end",
    "local n = module 'bankd'\nfunction n.accountNumber(id) return n.ORIGaccountNumber(id) end",
    "@function Account:withdraw() return self:ORIGwithdraw(table.unpack({})) end",
    "@function Account:withdraw(a, memo) return self.title .. self.id .. self.hashValue .. self:deposit(1, memo) end",
    "@function Account:withdraw(a) return pcall(function() return self.balanse end) end",
    "@function Account:withdraw(n, memo) n = self return n.balanse end",
    "@function Account:withdraw(n, memo) return memo:upper() == '' or self.title:gsub('a', 'b') == '' end",
    "function string.trim(s) return s end\nlocal A = class 'bankd.Account'\n"
      + "string.cut = string.sub function A:withdraw(n, memo) return memo:trim() == memo:cut(1) end",
    "@function Account:withdraw(n, memo) self:deposit(table.unpack{1, 'a'}) return not original(self, n, memo) end",
    "@function Account:withdraw(n, memo) self:deposit{1, memo = 'a'} return n and true end",
    "@function Account:withdraw(n, memo) local function f() return 'x' end return f() == 'x' end",
    "@function Account:deposit(n, memo) self.title, n = memo, 1 self.title = memo or 5 return 1 end",
    "@function Account:deposit(n, memo) local o o = 5 self.title = o self.nickname = nil return 1 end",
    "@function Account:deposit(n, memo) return original(self, n, memo) end",
    "@function Account:deposit(n, memo) error('no') end",
    "@function Account:deposit(n, memo) if n > 1 then return 1 else error('no') end end",
    "@function Account:deposit(n, memo) while true do if n > 1 then return 1 end end end",
    "@function Account:withdraw(n, memo) self.shown = function() end self:shown() return true end",
    "@function Account.set:title(text) return original(self, text) end",
    "@function Account.set:title(text) return nil end",
    "@function Account:interest(days) return self.kind.rawValeu and 1 end",
    "@function Account:makeTable(n) return self.tableDelegate.headign end",
    "@Account:method('shout', function(self) return 'x' end)\n"
      + "function Account:withdraw(n, memo) return self:shoutx() end",
  ]

  @Test func `what is right, or cannot be known, is left alone`() throws {
    let program = ["--program", try BuiltProduct("bankd").path]
    for (text, found) in zip(Self.sound, try check(each: Self.sound, against: program)) {
      #expect(found.isEmpty, "\(text): \(found)")
    }
  }

  @Test(arguments: [
    ["@function Account:title() end", "; it is a getter: override it in `Account.get`"],
    ["@function Account.get:tilte() end", "; did you mean `title`?"],
    ["@Account['withdraw(_:)'] = function(self) end", "; did you mean `withdraw(_:memo:)`?"],
    ["@function Account:withdraw(a, b) return self:ORIGwithdrow(a, b) end", "`ORIGwithdraw`?"],
    ["return Acount", "did you mean `Account`?"],
  ])
  func `what was meant is said`(texts: [String]) throws {
    let found = try check(texts[at: 0])
    #expect(found.count == 1 && found[0].hasSuffix(texts[at: 1]), "\(found)")
  }

  @Test func `what a library may have is only warned of, until the library is named`() throws {
    let text = "local m = module 'crashd' return class 'Plugin.Thing'"
    try expectEqual(
      check(text),
      [
        "a.lua:1:18: warning: `crashd` is not in bankd, and was not checked; "
          + "name its library with one more --program",
        "a.lua:1:40: warning: `Plugin.Thing` is not in bankd, and was not checked; "
          + "name its library with one more --program",
      ])
    let more = ["--program", try BuiltProduct("crashd").path]
    try expectEqual(check(text, more).count, 1)
  }

  @Test func `warnings count where that is asked for`() throws {
    let text = Self.account + "function Account.withdraw(amount, memo) end"
    try folder.write(text.utf8, to: "a.lua")
    let program = try BuiltProduct("bankd").path
    let result = try Command(
      try BuiltProduct("waxwing").path, ["check", "a.lua", "--program", program, "--strict"],
      directory: folder.path
    ).run()
    expectEqual(result.status, .exited(3))
  }

  @Test func `the patches of the example are sound, with its file and with its daemon`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let patches = root.appendingPathComponent("examples/bankd/patches")
    let stage = try Stage()
    for name in try FileManager.default.contentsOfDirectory(atPath: patches.path).sorted() {
      let path = patches.appendingPathComponent(name).path
      for program in [["--program", try BuiltProduct("bankd").path], ["--socket", stage.socket]] {
        let result = try stage.tool(["check", path] + program).run()
        #expect(!result.standardOutput.contains(": error: "), "\(result.standardOutput)")
      }
    }
  }

  @Test func `a daemon's own checks are added to those of the names, and nothing is applied`()
    throws
  {
    let stage = try Stage()
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:withdrow(amount) end
      function Account:deposit(amount, memo, extra) end
      """, to: "names.lua")
    try stage.write("local x = nil\nerror('not today')", to: "load.lua")
    try stage.plays(
      """
      waxwing check names.lua --socket FOLDER/bankd.sock
        names.lua:2:18: error: `bankd.Account` has no function `withdrow` that can be \
      overridden; did you mean `withdraw(_:memo:)`?
        names.lua:3:18: error: the override takes 4 values with `self`, and `deposit(_:memo:)` \
      passes 3 values with `self`; leave out `extra`, which would always be nil
        1 patch checked against bankd (pid PID): 2 errors
        exited(3)
      waxwing check load.lua --socket FOLDER/bankd.sock
        load.lua:2:1: error: not today
            [C]: in function 'error'
            load.lua:2: in main chunk
        1 patch checked against bankd (pid PID): 1 error
        exited(3)
      waxwing versions
        bankd (pid PID): all types are at version 0
      """)
  }
}

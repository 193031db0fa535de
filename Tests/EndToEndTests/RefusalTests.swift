// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Patches that do not get in. After each the program is as it was.
@Suite struct RefusalTests {
  let stage: Stage

  init() throws {
    stage = try Stage()
  }

  @Test(arguments: [
    Refusal(
      "a method that is not there, with the nearest names",
      """
      local Account = class "bankd.Account"
      function Account:withdrow(amount, memo) return true end
      """,
      """
      waxwing: error: bad.lua:2: `bankd.Account` has no function `withdrow` that can be overridden; \
      did you mean `withdraw(_:memo:)`?
        bad.lua:2: in main chunk
      """),
    Refusal(
      "272 a type that is not there",
      #"local Account = class "bankd.Acount""#,
      """
      waxwing: error: bad.lua:1: bankd has no type `bankd.Acount`; \
      did you mean `bankd.Account`, `bankd.Route` or `bankd.Socket`?
        bad.lua:1: in main chunk
      """),
    Refusal(
      "an ambiguous name, with the candidates",
      """
      local Account = class "bankd.Account"
      function Account:init(id) end
      """,
      """
      waxwing: error: bad.lua:2: `init` is ambiguous; write one of:
        |     init(id:owner:nickname:)
        |     init(id:owner:nickname:withdrawalLimit:)
        bad.lua:2: in main chunk
      """),
    Refusal(
      "163 an error at the end, after two overrides",
      """
      local Fees, Account = class "bankd.FeeSchedule", class "bankd.Account"
      function Fees:fee(amount) return 0 end
      function Account:deposit(amount, memo) return 0 end
      error("not today")
      """,
      """
      waxwing: error: bad.lua:4: not today
        [C]: in function 'error'
        bad.lua:4: in main chunk
      """),
    Refusal(
      "164 a global that is not defined",
      """
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return 0 end
      limt = limit + 1
      """,
      """
      waxwing: error: bad.lua:3: undefined variable `limit`
        bad.lua:3: in main chunk
      """),
    Refusal(
      "86 a text that is not Lua",
      """
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount return 0 end
      """,
      """
      waxwing: error: bad.lua:2: ')' expected near 'return'
      """),
    Refusal(
      "a method that nothing is like",
      """
      local Bank = class "bankd.Bank"
      function Bank:zebra() end
      """,
      """
      waxwing: error: bad.lua:2: `bankd.Bank` has no function `zebra` that can be overridden; \
      `waxwing points` lists what it has; if its source has one, it may be stored or made by the \
      compiler, else remove `@inlinable`, and make sure that something uses it
        bad.lua:2: in main chunk
      """),
  ])
  func `a patch is refused as a whole`(refusal: Refusal) throws {
    try stage.write(refusal.script, to: "bad.lua")
    let error = refusal.error.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    try stage.plays(
      """
      waxwing apply bad.lua
      \(error)
        waxwing: hint: nothing was changed
        exited(3)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """)
  }

  @Test func `a folder whose second module fails leaves nothing of the first`() throws {
    try stage.write(
      """
      patch { name = "three" }
      require "first"
      require "second"
      require "third"
      """, to: "three/main.lua")
    try stage.write(
      #"local Fees = class "FeeSchedule"; function Fees:fee(amount) return 0 end"#,
      to: "three/first.lua")
    try stage.write(
      #"local Account = class "Account"; function Account:depose(amount) return 0 end"#,
      to: "three/second.lua")
    try stage.write(
      #"local Account = class "Account"; function Account:deposit(amount) return 0 end"#,
      to: "three/third.lua")
    try stage.plays(
      """
      waxwing apply three
        waxwing: error: three/second.lua:1: `bankd.Account` has no function `depose` that can be \
      overridden; did you mean `deposit(_:memo:)`?
          three/second.lua:1: in main chunk
          three/main.lua:3: in main chunk
        waxwing: hint: nothing was changed
        exited(3)
      GET /fees?amount=10000
        200 {"amount":10000,"fee":150}
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """)
  }

  @Test func `a patch for another program is refused, with and without naming the daemon`() throws {
    try stage.write(#"patch { name = "fees", program = "shopd" }"#, to: "fees.lua")
    try stage.plays(
      """
      waxwing apply fees.lua
        waxwing: error: no daemon: nothing listens at FOLDER/shopd.sock; running are
          bankd (pid PID)
        waxwing: hint: start the program, or name one of these
        exited(7)
      waxwing apply fees.lua --program bankd
        waxwing: error: fees is for 'shopd', and this daemon is 'bankd'
        waxwing: hint: name the right daemon, or change 'program' in the patch
        exited(3)
      """)
  }

  @Test func `bytecode, an empty file, a huge file and none are refused before anything is sent`()
    throws
  {
    try stage.write("\u{1B}Lua\u{54}", to: "bytecode.lua")
    try stage.write("", to: "empty.lua")
    try stage.write("", to: "huge.lua")
    expectEqual(truncate("\(stage.folder)/huge.lua", 100 << 20), 0)
    try stage.plays(
      """
      waxwing apply bytecode.lua
        waxwing: error: bytecode.lua: compiled Lua is refused
        waxwing: hint: give the source
        exited(3)
      waxwing apply empty.lua
        waxwing: error: empty.lua: the file is empty (0 bytes)
        waxwing: hint: check that it was saved, and apply it again
        exited(3)
      waxwing apply huge.lua
        waxwing: error: huge.lua: the file has 100 MiB; a Lua file of a patch may have 256 KiB
        waxwing: hint: split it into a folder with main.lua and modules, or leave out data
        exited(3)
      waxwing apply missing.lua
        waxwing: error: missing.lua: cannot read it: No such file or directory
        waxwing: hint: check the path
        exited(3)
      waxwing list
        bankd (pid PID) is at baseline: no patches
      """)
  }
}

/// A script and what `waxwing apply` says of it.
struct Refusal: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let script: String
  let error: String

  init(_ description: String, _ script: String, _ error: String) {
    testDescription = description
    self.script = script
    self.error = error
  }
}

// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

extension BuildModeTests {
  /// A program and a module of which neither is compiled with implicit dynamic: functions and closures are overridden by
  /// rewriting their code, where the configuration allows it.
  @Suite struct CodeEntryProgramTests {
    private let program: BuildModeTests

    init() throws {
      program = try BuildModeTests()
      try program.shell.directory.write("code-entries = allow\n", to: "modes.conf")
    }

    /// Another run of the program that was compiled.
    fileprivate static func again(_ program: BuildModeTests) throws -> BuildModeTests {
      let other = try BuildModeTests(shell: Shell(), like: program)
      try other.shell.directory.write("code-entries = allow\n", to: "modes.conf")
      return other
    }

    /// Flags, and whether the module is a shared library.
    static let modes = [
      ("-O -wmo -g", false), ("-Onone -g", false), ("-O -wmo -g", true), ("-Onone -g", true),
    ]

    private func compile(_ flags: String, _ isShared: Bool) throws {
      try program.compile("Code", importing: "Shop", flags, isShared: isShared)
    }

    private let long = "a long argument, which is on the heap"

    private static let names = """
      local Money, Till, Router = class "Shop.Money", class "Shop.Till", class "Shop.Router"
      local Shop, modes = module "Shop", module "modes"

      """

    @Test(arguments: modes)
    func `overrides that only call the original change nothing`(
      flags: String, isShared: Bool
    ) throws {
      try compile(flags, isShared)
      let answers = try program.run(
        "patch { partial = true }\n" + Self.names + """
          local function pass(...) return original(...) end
          Money.plus, Money.double, Money.static.parse = pass, pass, pass
          Money.get.text, Money["code(for:)"] = pass, pass
          Till.ring, Till.total, Till.many = pass, pass, pass
          Router.go, Router.counted, Router.on, Router.onGeneric = pass, pass, pass, pass
          Shop.greet, Shop.tuple, Shop.fill, Shop.outer, Shop.inner = pass, pass, pass, pass, pass
          for number = 1, 7 do modes["closure #" .. number .. " in build"] = pass end
          pcall(function() Shop.largest = pass end)
          """)
      program.expectNoChange(answers)
    }

    @Test(arguments: modes)
    func `overrides see and change what functions and closures take, return and throw`(
      flags: String, isShared: Bool
    ) throws {
      try compile(flags, isShared)
      let answers = try program.run(
        "patch { partial = true }\n" + Self.names
          + """
          function Money:plus(other) local sum = original(self, other); sum.cents = sum.cents + 1000; return sum end
          function Money:double() original(self); self.code = self.code .. "lua" end
          Money.get.text = function(self) return "<" .. original(self) .. ">" end
          function Money:code(for_) return original(self, for_):upper() end
          Money.static.parse = function(self, text) return original(self, text == "q" and "77" or text) end
          function Till:ring(what, count) return self:ORIGring(what, count + 1):upper() end
          function Till:total(items, tax) return original(self, items, tax) + #items end
          function Till:many(a, b, c, d, e, f, g, h) return original(self, a, b, c, d, e, f, g, h * 10) end
          function Shop.greet(name, times) return original(name:upper(), times + 1) end
          function Shop.tuple(number) local a, b, c = original(number); return a + 1, b .. "!", c and c * 2 or 1.5 end
          function Shop.fill(all, number) all = original(all, number); all[#all + 1] = 9; return all end
          function Shop.outer(number) return original(number) - 1 end
          local function closure(number, f) modes["closure #" .. number .. " in build"] = f end
          closure(1, function(argument) return "lua " .. original(argument) end)
          closure(2, function(argument) local done, failure = pcall(original, argument); return done and failure or "none" end)
          closure(3, function(argument) return original(argument):reverse() end)
          closure(4, function(argument) return original(argument) * 2 end)
          closure(5, function(argument) return original(argument) .. "?" end)
          closure(6, function(number, money) local sum = original(number, money); sum.code = sum.code .. "6"; return sum end)
          closure(7, function(number, money) return original(number * 2, money) end)
          """)
      expectEqual(answers.after, answers.before)
      expectEqual(answers.failures, [])
      try #require(answers.patched.contains("; "))
      let lines = answers.patched.split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      expectEqual(Array(lines.prefix(3)), ["a lua pre:", "a lua pre:x", "a lua pre:\(long)"])
      expectEqual(Array(lines[3..<6]), ["b none", "b RANG X 4", "b RANG \(long.uppercased()) 4"])
      expectEqual(Array(lines[6..<8]), ["c  nialp", "c x nialp"])
      expectContains(answers.patched, "d 6; d 8;")
      expectContains(answers.patched, "e !?; e error tooMuch(3);")
      expectContains(answers.patched, "many -76")
      expectContains(answers.patched, "parse <12 12> <77 77>")
      expectContains(answers.patched, "coded Z*LUA 90;")
      expectContains(answers.patched, "money <10 z*lua> 27.0")
      expectContains(answers.patched, "greet hi ADA hi ADA hi ADA hi BOB hi BOB ")
      expectContains(
        answers.patched, #"tuple (3, "t2!", Optional(1.5)) (6, "t5!", Optional(10.0))"#)
      expectContains(answers.patched, "fill [1, 2, 9]")
    }

    /// Extensions of a type of another module: their code is not of the module whose name their symbols begin with.
    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `functions that members of another module's types call are called by their own module`(
      flags: String
    ) throws {
      let folder = "\(BuildModeTests.fixtures)/Extended"
      try expectSuccess(
        Compilations.copy(
          """
          set -e
          PATH="\(BuildModeTests.path)"
          for module in Base Extra; do
            swiftc \(flags) -swift-version 5 -parse-as-library -module-name $module -I . -emit-library -static \
              -o lib$module.a -emit-module -emit-module-path $module.swiftmodule '\(folder)'/$module.swift
          done
          swiftc \(flags) -swift-version 5 -module-name modes -o modes -I . -L . -lExtra -lBase \
            '\(folder)/main.swift'
          """, to: program.shell))
      let answers = try program.run(
        """
        patch { partial = true }
        local Timer, Extra = class "Base.Timer", module "Extra"
        local function pass(...) return original(...) end
        local function check(text, declare)
          local isDeclared, reason = pcall(declare)
          assert(isDeclared == \(flags.hasPrefix("-Onone")) and (isDeclared or reason:find(text, 1, true)), reason)
        end
        check("optimised code of Extra itself calls it", function() Extra.later = pass end)
        check("optimised calls in its own module may leave out those", function()
          Timer.static.measure_with_body = pass
        end)
        """)
      program.expectNoChange(answers)
    }

    @Test(arguments: [false, true])
    func `a function of which a caller has a copy is refused unless some calls are enough`(
      isShared: Bool
    ) throws {
      try compile("-O -wmo -g", isShared)
      let refused = try program.run(
        """
        local isDeclared, reason = pcall(function() class("Shop.Till").simple = function() return 7 end end)
        assert(not isDeclared)
        assert(
          reason:find("an override may miss calls of it by callers of a copy of it", 1, true)
          or reason:find("nothing in the program calls its code", 1, true), reason)
        -- For two types in the program.
        isDeclared, reason = pcall(function() module("Shop").larger = function() end end)
        assert(not isDeclared)
        assert(
          reason:find("an override may miss calls of it by callers of 2 copies of it", 1, true)
          or reason:find("nothing in the program calls its code", 1, true), reason)
        """)
      program.expectNoChange(refused)
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `the patch that points makes of all code is applied, and changes nothing`(
      flags: String
    ) throws {
      try compile(flags, false)
      let answers = try program.run(
        "module(\"Shop\").greet = function(...) return original(...) end",
        looking: """
          waxwing points --program modes --code --patch >code.lua 2>/dev/null
          waxwing apply code.lua >applied 2>&1 || cat applied code.lua
          say >patched
          waxwing list --json |
            jq -r '.patches[].overrides[] | select(.errors > 0) | "\\(.selector): \\(.lastError.message)"'
          """)
      program.expectNoChange(answers)
      let shell = program.shell
      try expectEqual(
        shell.bash("cat patched").standardOutput.trimmingCharacters(in: .newlines), answers.before)
      expectEqual(try shell.bash("cat looked").standardOutput, "")
      let head = try shell.bash("grep '^patch' code.lua").standardOutput
      expectEqual(head.contains("partial = true }"), flags.hasPrefix("-O "))
    }

    @Test func `the tools know of functions whose code is rewritten`() throws {
      try compile("-O -wmo -g", false)
      let answers = try program.run(
        """
        class("Shop.Till").ring = function(self, what, count) return original(self, what, count) end
        module("modes")["closure #1 in build"] = function(argument) return original(argument) end
        """,
        looking: """
          set -e
          waxwing status | grep 'code entries'
          waxwing explain 'Till.ring'
          waxwing points --program modes --code 'till.' | grep -v '^$'
          waxwing points --program modes --closures 'closure #1 in build' | grep note
          waxwing trace till.ring -n 1 >traced 2>&1 & trace=$!
          until waxwing status | grep -q trace; do sleep 0.02; done
          say >/dev/null
          wait $trace
          grep -o 'ring(.*' traced | head -1
          echo 'class("Shop.Till").total = function(self, items, tax) return original(self, items, tax) end' >dry.lua
          waxwing apply --dry-run dry.lua | head -2
          """)
      program.expectNoChange(answers)
      let looked = try program.shell.bash("cat looked").standardOutput
      expectContains(looked, "code entries: allowed, 2 functions rewritten\n")
      expectContains(looked, "1  all                  0  override  all.lua:1      3       0\n")
      expectContains(
        looked,
        """
        ! Till:simple(value, value2)                                    func simple(_: Int, _: Int) -> Int
            cannot be overridden: nothing in the program calls its code: the compiler has put copies of it into its \
        callers, or nothing uses it
          Till:total(value, tax)                                        func total(_: [Money], tax: Double) -> Double
        6 functions: 5 can be overridden, 1 cannot

        """)
      expectContains(looked, "note: it is not async: it is overridden by rewriting its code\n")
      expectContains(looked, "ring(_:count:)  (\"\", 3)  on Shop.Till@")
      expectContains(looked, "  Shop.Till.total(_:tax:)  dry.lua:1\n")
    }

    /// An override of a function of the module, and whether it is refused.
    private func expect(
      _ override: String, refusedWith reason: String?, _ before: String, _ patched: String
    ) throws {
      let answers = try program.run(
        """
        patch { partial = true }
        local isDeclared, reason = pcall(function() module("Shop").\(override) end)
        assert(isDeclared == \(reason == nil), reason)
        if not isDeclared then assert(reason:find("\(reason ?? "")", 1, true), reason) end
        """)
      expectEqual(answers.after, answers.before)
      expectContains(answers.before, before)
      expectContains(answers.patched, reason == nil ? patched : before)
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `a private function whose convention the optimiser may have changed is refused`(
      flags: String
    ) throws {
      try compile(flags, false)
      try expect(
        "joined = function(first, last) return original(last, first) end",
        refusedWith: flags == "-Onone -g"
          ? nil : "it is private, and the optimiser may have changed", "joins 4bcb", "joins b4bc")
    }

    @Test(arguments: ["-Osize -g", "-Onone -g"])
    func `a function whose callers may leave out an argument that it does not use is refused`(
      flags: String
    ) throws {
      try compile(flags, false)
      try expect(
        "noted = function(number, note) return original(number + #note, note) end",
        refusedWith: flags == "-Onone -g" ? nil : "its code does not use all arguments",
        "notes 10;", "notes 30;")
    }

    @Test(arguments: ["-O -wmo -g -D MARKED", "-Onone -g -D MARKED"])
    func `functions are overridden by their code beside others that are dynamic`(
      flags: String
    ) throws {
      try compile(flags, false)
      let answers = try program.run(
        "patch { partial = true }\n" + Self.names + """
          function Shop.greet(name, times) return original(name:upper(), times + 1) end
          function Shop.marked(number) return original(number) end
          function Till:ring(what, count) return self:ORIGring(what, count + 1) end
          """)
      expectEqual(answers.after, answers.before)
      expectContains(answers.patched, "greet hi ADA hi ADA hi ADA hi BOB hi BOB ")
      expectContains(answers.patched, "b rang x 4;")
    }

    @Test func `a function that implicit dynamic leaves out may miss calls`() throws {
      try compile("-Onone -g -Xfrontend -enable-implicit-dynamic", false)
      let missed = try program.run(
        """
        local isDeclared, reason = pcall(function() module("Shop").clients = function() return 7 end end)
        assert(not isDeclared)
        assert(
          reason:find("by callers in other modules (it is `@inlinable`, or made by the compiler)", 1, true), reason)
        """)
      program.expectNoChange(missed)
      let seen = try Self.again(program).run(
        """
        patch { partial = true }
        module("Shop").clients = function() return 7 end
        """)
      expectEqual(seen.after, seen.before)
    }

    @Test func `a trace and a record say that calls are missed`() throws {
      try compile("-O -wmo -g", false)
      let answers = try program.run(
        "print 'looks on'",
        looking: """
          for tool in trace record; do
            for form in --json ''; do
              waxwing $tool Shop.inner -n 1 $form >seen 2>&1 & watch=$!
              until waxwing status | grep -q $tool-; do sleep 0.02; done
              say >/dev/null
              wait $watch
              if [[ $form ]]; then jq -r .note seen; else cat seen; fi
              waxwing replay --end >/dev/null 2>&1 || true
            done
          done
          """)
      program.expectNoChange(answers)
      let looked = try program.shell.bash("cat looked").standardOutput.split(separator: "\n")
      let note = "an override may miss calls of it by code of Shop itself"
      expectEqual(looked.filter { $0 == note }.count, 2)
      expectEqual(looked.filter { $0.hasSuffix("Shop.inner(_:): \(note)") }.count, 2)
    }

    @Test func `the example of the page works`() throws {
      try compile("-O -wmo -g", false)
      let answers = try program.run(
        try GuideTests.blocks("lua code").joined(separator: "\n"))
      expectEqual(answers.after, answers.before)
      expectEqual(answers.failures, [])
      expectContains(answers.before, "b rang x 3;")
      expectContains(answers.patched, "b no;")
      expectContains(answers.patched, "greet hi ADA hi ADA hi BOB ;")
    }

    @Test func `nothing is rewritten where the configuration does not allow it`() throws {
      try compile("-O -wmo -g", false)
      try program.shell.directory.write("unsigned = allow\n", to: "modes.conf")
      let refused = try program.run(
        """
        local function reason(f) local isDeclared, reason = pcall(f) assert(not isDeclared) return reason end
        local function expect(text, f) local found = reason(f) assert(found:find(text, 1, true), found) end
        expect("no code is rewritten here: build it with", function() module("Shop").greet = function() end end)
        expect("it is a closure that is not async, and no code is rewritten here",
          function() module("modes")["closure #1 in build"] = function() end end)
        """)
      program.expectNoChange(refused)
    }
  }
}

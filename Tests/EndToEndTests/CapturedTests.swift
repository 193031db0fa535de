// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

extension BuildModeTests {
  /// What closures of a program have captured, and closures by the lines that they are written on.
  @Suite struct CapturedTests {
    private let program: BuildModeTests

    init() throws {
      program = try BuildModeTests.allowingCodeEntries()
    }

    private func compile(_ flags: String) throws {
      try program.compile("Captured", importing: "Web", flags)
    }

    private func answers(_ text: String, _ names: String...) -> [String] {
      text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { answer in names.contains { answer.hasPrefix($0 + ": ") } }
    }

    @Test(arguments: ["-Onone -g"])
    func `overrides read by name what closures have captured`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes, Store, Shop = module "modes", class "modes.Store", class "modes.Shop"
        modes["closure #1 in plain"] = function(q) return #captured .. " " .. tostring(captured) end
        modes["closure #2 in plain"] = function(q) return captured.store.name .. " of plain" end
        modes["closure #3 in plain"] = function(q)
          return captured.store.name .. captured.name .. captured.limit .. captured[2] .. #captured
        end
        modes["closure #4 in plain"] = function(q)
          local before = captured.limit
          local result = original(q)
          return result .. " " .. before .. " " .. captured.limit .. " " .. captured.name
        end
        Shop["closure #1 in add"] = function(q)
          return captured.self.price.cents + 1 .. " " .. captured.self.store.name
        end
        Store["closure #1 in add"] = function(q) return captured.self.name .. "!" end
        Store["closure #2 in add"] = function(q) return captured.self.name .. "?" end
        Store["closure #3 in add"] = function(q) return captured.name .. " " .. captured.other.name end
        modes["closure #1 in values"] = function(q)
          local c = captured
          return table.concat({ c.price.name, c.named.cents, tostring(c.kind), tostring(c.none), c.some.name,
            c.pair[1] + 1, c.pair[2], c.small * 2, tostring(c.flag), c.all.a, tostring(c.kindOf) }, ",")
        end
        modes["closure #2 in values"] = function(q) return captured.price.parts[2] .. " part" end
        modes["closure #3 in values"] = function(q) return #captured.parts .. " parts" end
        modes["closure #1 in variables"] = function(q)
          local before = captured.count .. captured.text .. captured.price.cents
          original(q)
          local c = captured
          return before .. " " .. c.count .. c.text .. c.price.cents .. " " .. c.watched.name .. c.owner.name
            .. tostring(c.lost)
        end
        modes["closure #2 in variables"] = function(q) return "count is " .. captured.count end
        modes["closure #1 in empties"] = function(q)
          return captured.limit .. captured.name .. tostring(captured.nothing) .. tostring(captured.type == Int)
        end
        modes["closure #1 in functions"] = function(q)
          return captured.add(q.number) .. " " .. captured.join("y", captured.limit)
        end
        """)
      expectEqual(
        answers(
          changed.patched, "nothing", "one", "two", "later", "shop", "own", "weak own", "listed",
          "values",
          "list", "array", "variables", "count", "empties", "functions"
        ).filter { !$0.isEmpty }.prefix(15).sorted(),
        [
          "array: 2 parts", "count: count is 1", "empties: 11modes.Nothing()true",
          "functions: 2 y8", "later: tea ada 42 42 42 ada", "list: 2 part", "listed: tea tea",
          "nothing: 0 nothing", "one: tea of plain", "own: tea!", "shop: 251 tea",
          "two: teaada42ada3",
          "values: price,250,sized(1, \"k\"),nil,tea,2,p,10,true,1,modes.Price",
          "variables: 0a250 1ab251 teateanil", "weak own: tea?",
        ])
      expectContains(changed.patched, "1 alive --")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: ["-Onone -g"])
    func `what generic closures have captured is read by the types of the call`(flags: String)
      throws
    {
      try compile(flags)
      let changed = try program.run(
        """
        module("modes")["closure #1 in generic"] = function(q)
          return captured.value.name .. #captured.list .. captured.limit .. "!"
        end
        """)
      expectEqual(
        answers(changed.patched, "generic"), ["generic: generic11!", "generic: generic11!"])
      expectEqual(changed.after, changed.before)
    }

    @Test(arguments: ["-O -wmo", "-Onone"])
    func `without debugging information captured values have numbers`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes = module "modes"
        local function refusal(f, ...) local _, reason = pcall(f, ...); return reason end
        modes["closure #3 in plain"] = function(q)
          local reason = refusal(function() return captured.name end)
          assert(reason:find("nothing tells the names of what the closure has captured", 1, true), reason)
          return captured[1].name .. captured[2] .. captured[3]
        end
        modes["closure #2 in plain"] = function(q)
          local reason = refusal(function() return captured[1] end)
          assert(reason:find("only debugging information tells its type", 1, true), reason)
          return original(q)
        end
        modes["closure #2 in variables"] = function(q) return captured[1] .. " counted" end
        """)
      expectEqual(answers(changed.patched, "two").first, "two: teaada42")
      expectEqual(answers(changed.patched, "one").first, "one: tea 1")
      expectContains(changed.patched, " counted;")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test func `what cannot be read says why`() throws {
      try compile("-Onone -g")
      let unchanged = try program.run(
        """
        local modes = module "modes"
        local function check(text, f)
          local isRead, reason = pcall(f)
          assert(not isRead and reason:find(text, 1, true), tostring(reason))
        end
        modes["closure #3 in plain"] = function(q)
          check("the closure has captured no `limt`; did you mean `limit`?", function() return captured.limt end)
          check("It has captured store: modes.Store, name: String, limit: Int", function() return captured.other end)
          check("has captured no `4`", function() return captured[4] end)
          check("can be read, and not set: `captured.limit`", function() captured.limit = 5 end)
          return original(q)
        end
        modes["closure #1 in lent"] = function(n)
          check("the closure does not escape", function() return captured.limit end)
          return original(n)
        end
        check("`captured` works in a call of a closure's override", function() return captured.limit end)
        """)
      program.expectNoChange(unchanged)
    }

    /// Nothing tells whether what calls them lets them escape. At -O they may be on the stack of their maker.
    @Test(arguments: ["-O -g", "-O", "-Onone -g"])
    func `what a closure has captured is read only where it is known to be there`(flags: String)
      throws
    {
      try compile(flags)
      let changed = try program.run(
        """
        local modes = module "modes"
        for i = 1, 3 do
          local name = "closure #" .. i .. " in kept"
          modes[name] = function()
            local isRead, reason = pcall(function() return captured.limit or captured.store end)
            if isRead then assert(reason == 4 or reason.name == "tea", tostring(reason)) end
            return original()
          end
        end
        """)
      program.expectNoChange(changed)
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `the examples of the documents work`(flags: String) throws {
      try compile(flags)
      let blocks = try GuideTests.blocks("lua captured")
      #expect(blocks.count == 2)
      let patch = "do \(blocks.joined(separator: "end do ")) end"
        .replacing("\"shop\"", with: "\"modes\"").replacing("addRoutes", with: "plain")
        .replacing("Routes.swift:42", with: "main.swift:43").replacing(" > ", with: " < ")
      let changed = try program.run(patch)
      expectEqual(answers(changed.patched, "one").first, "one: sold out")
      expectEqual(answers(changed.patched, "two").first, "two: tea is closed")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `closures have names by the lines that they are written on`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes, Store = module "modes", class "modes.Store"
        local function refusal(owner, name)
          local isDeclared, reason = pcall(function() owner[name] = function() end end)
          return not isDeclared and reason or "none"
        end
        local function check(owner, name, text)
          local reason = refusal(owner, name)
          assert(reason:find(text, 1, true), reason)
        end
        modes["main.swift:44"] = function(q) return "line 44 " .. original(q) end
        Store["main.swift:20"] = function(q) return "line 20 " .. original(q) end
        modes["main.swift:19"] = function(q) return "line 19 " .. original(q) end
        check(modes, "main.swift:2", "modes has no closure at `main.swift:2`; did you mean `main.swift:1")
        check(modes, "mian.swift:44", "did you mean `main.swift:")
        check(modes, "main.swift:99", "`main.swift:99` is ambiguous; write one of:")
        check(modes, "main.swift:99", "closure #1 in twice")
        check(modes, "main.swift:99", "closure #2 in twice")
        """,
        looking: "waxwing explain main.swift:44; waxwing points --program modes --closures plain")
      expectEqual(answers(changed.patched, "two").first, "two: line 44 tea ada 42")
      expectEqual(answers(changed.patched, "listed").first, "listed: line 20 tea tea")
      expectEqual(answers(changed.patched, "weak own").first, "weak own: line 19 tea 1")
      expectEqual(changed.after, changed.before)
      let looked = try program.shell.bash("cat looked").standardOutput
      expectContains(looked, "it is written at main.swift:44\n")
      expectContains(looked, "it has captured store: Store, name: String, limit: Int\n")
      expectContains(
        looked,
        """
            at main.swift:44
            captures store: Store, name: String, limit: Int
        """)
    }

    @Test(arguments: ["-O -wmo -g", "-O", "-Onone -g"])
    func `an override is for all forwarders of a closure, each with its own original`(
      flags: String
    ) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes = module "modes"
        modes["closure #1 in shared"] = function(q) return original(q) .. "!" end
        modes["closure #1 in copied"] = function(q) return "its " .. original(q) end
        modes["closure #2 in shared"] = function(q) return original(q) .. "?" end
        modes["closure #2 in copied"] = function(q) return "lua " .. original(q) end
        """)
      expectEqual(
        answers(
          changed.patched, "shared one", "shared two", "shared three", "copied price",
          "copied store"),
        [1, 5].flatMap { n in
          [
            "shared one: tea 1 \(n)!", "shared two: tea 2 \(n)!", "shared three: tea 3 \(n)!",
            "copied price: its \(n) price 1", "copied store: its \(n) tea 1",
          ]
        })
      expectEqual(
        answers(changed.patched, "shared one later", "copied price later", "copied store later"),
        [1, 5].flatMap { n in
          [
            "shared one later: 1 tea \(n)?", "copied price later: lua 1 price \(n)",
            "copied store later: lua 1 tea \(n)",
          ]
        })
      expectContains(changed.patched, "shared two later: 2 tea 5?;")
      expectContains(changed.patched, "shared three later: 3 tea 5?;")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `closures that the runtime or C calls are refused with that reason`(flags: String) throws {
      try compile(flags)
      // Without optimization a task's closure is passed to `Task.init`, whose parameter is `@isolated(any)`.
      let inTask = flags.hasPrefix("-O ") ? "it is what a task does" : "runs where its maker"
      let unchanged = try program.run(
        """
        local modes = module "modes"
        local function check(name, text)
          local isDeclared, reason = pcall(function() modes[name] = function() end end)
          assert(not isDeclared and reason:find(text, 1, true), name .. ": " .. tostring(reason))
        end
        check("closure #1 in inTasks", "\(inTask)")
        for i = 1, 2 do check("closure #" .. i .. " in handled", "signal handler, in which Lua must not run") end
        """)
      program.expectNoChange(unchanged)
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `functions that C calls are overridden`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        module("modes")["closure #1 in sortedByC"] = function(one, other) return -original(one, other) end
        """)
      expectContains(changed.before, "[1, 1, 3] elsewhere;")
      expectContains(changed.patched, "[3, 1, 1] elsewhere;")
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    /// A block calls them as any function would.
    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `closures that a queue runs are overridden`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        module("modes")["closure #1 in inQueue"] = function()
          assert(captured.limit > 0)
          return original()
        end
        """, looking: "jq '.patches[0].overrides[0].calls' list.json")
      program.expectNoChange(changed)
      expectEqual(
        try String(contentsOfFile: "\(program.shell.path)/looked", encoding: .utf8), "1\n")
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `closures of the main actor are overridden there`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes = module "modes"
        modes["closure #1 in isolated"] = function(q)
          local before = tostring(modes.isOnMain())
          return before .. " lua " .. original(q) .. " " .. tostring(modes.isOnMain())
        end
        modes["closure #2 in isolated"] = function(q)
          return "lua " .. original(q) .. " " .. tostring(modes.isOnMain())
        end
        """)
      expectEqual(answers(changed.before, "main"), ["main: 1 1 true", "main: 1 5 true"])
      expectEqual(
        answers(changed.patched, "main"),
        ["main: true lua 1 1 true true", "main: true lua 1 5 true true"])
      expectEqual(
        answers(changed.patched, "on main"),
        ["on main: lua 1 1 true true", "on main: lua 5 1 true true"])
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test(arguments: ["-O -wmo -g", "-Onone -g"])
    func `closures with typed errors throw them, and others of the type`(flags: String) throws {
      try compile(flags)
      let changed = try program.run(
        """
        local modes, Oops = module "modes", class "Web.Oops"
        modes["closure #1 in typed"] = function(q)
          if q.number == 1 then throw(Oops(77)) end
          return original(q)
        end
        modes["closure #2 in typed"] = function(q)
          local isFine, result = pcall(original, q)
          return isFine and "lua " .. result or "caught"
        end
        """)
      expectEqual(answers(changed.before, "typed"), ["typed: 1", "typed: Oops(code: 5)"])
      expectEqual(
        answers(changed.patched, "typed"), ["typed: Oops(code: 77)", "typed: Oops(code: 5)"])
      expectEqual(
        answers(changed.patched, "typed later"),
        ["typed later: lua 1 later", "typed later: caught"])
      expectEqual(changed.after, changed.before)
      expectEqual(changed.failures, [])
    }

    @Test func `the tools read the file of a program that has no patch points`() throws {
      try compile("-O -wmo -g")
      let result = try program.shell.bash(
        """
        set -e
        PATH="$PATH:\(BuildModeTests.path)"
        echo 'module("modes")["closure #2 in shared"] = function(q) return original(q) end' >closure.lua
        echo 'module("modes")["closure #3 in shared"] = function(q) return original(q) end' >none.lua
        waxwing check closure.lua --program ./modes
        waxwing check none.lua --program ./modes && exit 1
        waxwing facts ./modes
        waxwing stubs ./modes | grep -o 'closure #2 in shared' | head -1
        waxwing init made --program ./modes
        """)
      expectSuccess(result)
      expectContains(result.standardOutput, "1 patch checked against ./modes: no errors\n")
      expectContains(result.standardOutput, "`modes` has no closure `closure #3 in shared`")
      expectContains(result.standardOutput, "wrote ./modes.waxwing-facts\nclosure #2 in shared\n")
      expectContains(result.standardOutput, "check it with `waxwing check made --program ./modes`")
    }

    @Test func `check and points know what closures have captured, and where they are`() throws {
      try compile("-O -wmo -g")
      try program.shell.directory.write(
        """
        local modes = module "modes"
        modes["main.swift:44"] = function(q) return captured.name .. captured.limt end
        modes["closure #2 in plain"] = function(q) captured.store = nil end
        modes["main.swift:47"] = function(q) return captured.name end
        modes["main.swift:99"] = function(q) end
        """, to: "wrong.lua")
      let checked = try program.shell.bash("waxwing check wrong.lua --program ./modes")
      expectContains(
        checked.standardOutput,
        "wrong.lua:2:71: error: the closure has captured no `limt`; did you mean `limit`?")
      expectContains(checked.standardOutput, "error: `captured.store` cannot be set")
      expectContains(
        checked.standardOutput,
        "`modes` has no closure at `main.swift:47`; did you mean `main.swift:4")
      expectContains(checked.standardOutput, "`main.swift:99` is ambiguous")
      let points = try program.shell.bash("waxwing points --static --closures modes variables")
      expectContains(
        points.standardOutput,
        "captures var count: Int, var text: String, var price: Price, weak watched: Store?, unowned owner: Store"
      )
    }
  }
}

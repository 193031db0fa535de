// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The names of async closures in the tool, for a program that is compiled for the test and runs under `waxwing exec`.
@Suite struct ClosureNameTests {
  private let shell: Shell

  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/Closures/desk.swift").path

  init() throws {
    shell = try Shell()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    try expectSuccess(
      shell.bash(
        """
        PATH="\(path)" swiftc -swift-version 6 -parse-as-library -module-name desk -o desk \
        -Xfrontend -enable-implicit-dynamic \(Self.fixture)
        """))
    try shell.directory.write(
      """
      local desk, Desk = module "desk", class "desk.Desk"
      desk["closure #1 in boot(_:greeting:)"] = function(visit, count)
        return original(visit, count):upper()
      end
      Desk["closure #1 in open"] = function(visit, count) return original(visit, count) .. "!" end
      Desk.static["closure #1 in close(_:)"] = function(visit) return original(visit, 1) .. "?" end

      """, to: "loud.lua")
  }

  /// Runs commands beside the program. `say LINE` types a line for it, and prints what it answers.
  private func run(_ commands: String) throws -> String {
    let result = try shell.bash(
      """
      set -u
      mkfifo in
      touch out
      exec 3<>in
      export WAXWING_STATE_DIR=$PWD/state WAXWING_CONFIG_DIR=$PWD WAXWING_LOG_DIR=off
      trap 'kill $! 2>/dev/null || true' EXIT
      lines() { wc -l <out; }
      waxwing exec --allow-unsigned ./desk <in >out 2>err &
      until [[ -S desk.sock ]] && (($(lines) > 0)); do
        kill -0 $! || { cat err; exit 1; }
        sleep 0.02
      done
      \(Shell.say)
      {
      \(commands)
      } 2>&1 | grep -v INSECURE
      """)
    expectSuccess(result)
    return result.standardOutput.replacing(#/pid \d+/#, with: "pid PID")
      .replacing(#/at 0x[0-9a-f]+/#, with: "at ADDRESS")
  }

  private func waxwing(_ arguments: String...) throws -> String {
    let result = try shell.waxwing(arguments)
    return result.standardOutput + result.standardError
  }

  private static let listing = """
    local Desk = class "desk.Desk"
      Desk.static["closure #1 in close(_:)"]  @Sendable (Visit, Int) async -> String
      Desk["closure #1 in open(_:)"]          @Sendable (Visit, Int) async -> String

    local desk = module "desk"
      desk["closure #1 in boot(_:greeting:)"]  @Sendable (Visit, Int) async -> String
      desk["closure #2 in boot(_:greeting:)"]  @Sendable (Visit, Int) async -> String
    ! desk["closure #3 in boot(_:greeting:)"]  @Sendable (Int) async -> Int
        cannot be overridden: nothing tells how it is called: the program's code does not pass it straight to a function; override what it calls

    5 closures: 4 can be overridden, 1 cannot
      1  nothing tells how it is called: the program's code does not pass it straight to a function; override what it calls

    """

  @Test func `closures of a file are listed by the names that patches write, and checked`() throws {
    try expectEqual(waxwing("points", "desk", "--closures"), Self.listing)
    try expectEqual(
      waxwing("points", "desk", "CLOSE", "--closures", "--static"),
      """
      local Desk = class "desk.Desk"
        Desk.static["closure #1 in close(_:)"]  @Sendable (Visit, Int) async -> String

      1 closure, not checked

      """)
    try expectEqual(
      waxwing("points", "desk", "#3", "--closures", "--selectors"),
      "desk.closure #3 in boot(_:greeting:)\n")
    try expectEqual(
      waxwing("points", "desk", "open", "--closures", "--patch"),
      """
      -- Overrides that only call the original: keep what you need, and change it.
      patch { name = "desk-pass-through", program = "desk" }

      local Desk = class "desk.Desk"

      Desk["closure #1 in open(_:)"] = function(visit, value)
        return original(visit, value)
      end

      """)
    let json = try waxwing("points", "desk", "#2", "--closures", "--json")
    for part in [
      #""kind" : "closure""#, #""form" : "desk[\"closure #2 in boot(_:greeting:)\"]""#,
      #""async" : true"#, #""refused" : null"#, #""type" : null"#,
    ] {
      expectContains(json, part)
    }
    expectContains(
      try waxwing("points", "desk", "bott", "--closures"),
      "no closure of desk contains 'bott'\nwaxwing: hint: did you mean 'boot'?")
    #expect(try !waxwing("points", "desk").contains("closure"))
  }

  @Test func `check compares the names of closures with those of a file`() throws {
    try expectEqual(
      waxwing("check", "loud.lua", "--program", "./desk"),
      "1 patch checked against ./desk: no errors\n")
    try shell.directory.write(
      """
      local desk, Desk = module "desk", class "desk.Desk"
      desk["closure #9 in boot"] = function(visit, count) return original(visit, count) end
      desk["closure #1 in boto(_:greeting:)"] = function(visit, count) return "" end
      desk["closure #1 in boot"] = function(visit, count, more) return original(visit) end
      desk["closure #2 in boot"] = function(visit, count) return count and 5 end
      desk["closure #3 in boot"] = function(count) return "a" end
      Desk["closure #1 in open"] = function(self, visit, count) return original(visit, count) end
      Desk["closure #1 in close"] = function(visit, count) return original(visit, count) end

      """, to: "bad.lua")
    let boot = (1...3).map { "`closure #\($0) in boot(_:greeting:)`" }
    let near = "did you mean \(boot[0]), \(boot[1]) or \(boot[2])?"
    try expectEqual(
      waxwing("check", "bad.lua", "--program", "./desk"),
      """
      bad.lua:2:6: error: `desk` has no closure `closure #9 in boot`; \(near)
      bad.lua:3:6: error: `desk` has no closure `closure #1 in boto(_:greeting:)`; \(near)
      bad.lua:4:6: error: the override takes 3 values, and \(boot[0]) passes 2 values: a closure has no `self`; \
      leave out `more`, which would always be nil
      bad.lua:4:66: error: `original` is called with 1 argument, and \(boot[0]) needs 2
      bad.lua:6:53: error: the result of \(boot[2]) is an `Swift.Int`, and a string cannot become one
      bad.lua:7:6: error: the override takes 3 values, and `closure #1 in open(_:)` passes 2 values: a closure has no \
      `self`; leave out `self`
      bad.lua:8:6: error: `desk.Desk` has no closure `closure #1 in close`; it is in a static function: override \
      it in `Desk.static`
      1 patch checked against ./desk: 7 errors

      """)
  }

  @Test func `stubs have the closures that can be overridden`() throws {
    let stubs = try waxwing("stubs", "desk")
    expectContains(
      stubs,
      """
        ---@async
        ---@param visit desk.Visit
        ---@param value integer
        ---@return string
        Module["closure #2 in boot(_:greeting:)"] = function(visit, value) end
      """)
    expectContains(stubs, #"Static["closure #1 in close(_:)"] = function(visit, value) end"#)
    #expect(!stubs.contains("closure #3 in boot"))
  }

  @Test func `a daemon knows closures by their names`() throws {
    let played = try run(
      """
      waxwing points --program desk --closures
      waxwing explain 'desk.closure #2 in boot'
      waxwing explain 'closure #1 in op'
      waxwing explain 'desk.closure #3 in boot(_:greeting:)'
      waxwing explain 'desk.closure #1 in boto'
      waxwing explain 'closure #4 in boot'
      waxwing check loud.lua --program desk --static
      waxwing apply loud.lua
      waxwing explain 'Desk.closure #1 in close'
      for route in hello count desk shut; do say $route; done
      waxwing restore
      say hello
      """)
    let boot = (1...3).map { "`closure #\($0) in boot(_:greeting:)`" }
    let whole = (1...3).map { "`desk.closure #\($0) in boot(_:greeting:)`" }
    expectEqual(
      played,
      Self.listing + """
        desk.closure #2 in boot(_:greeting:) in desk (pid PID) is not overridden
        the original is the program's own code: ./desk at ADDRESS
        desk.Desk.closure #1 in open(_:) in desk (pid PID) is not overridden
        the original is the program's own code: ./desk at ADDRESS
        waxwing: error: desk.closure #3 in boot(_:greeting:): nothing tells how it is called: the program's code does not pass it straight to a function; override what it calls
        waxwing: error: desk has no closure `closure #1 in boto`
        waxwing: hint: did you mean \(boot[0]), \(boot[1]) or \(boot[2])?
        waxwing: error: `closure #4 in boot` names no type or module: write `module.closure #4 in boot`
        waxwing: hint: did you mean \(whole[0]), \(whole[1]) or \(whole[2])?
        1 patch checked against desk (pid PID): no errors
        applied loud version 0 to desk (pid PID): 3 overrides
          desk.closure #1 in boot(_:greeting:)
          desk.Desk.closure #1 in open(_:)
          desk.Desk.closure #1 in close(_:)
        desk.Desk.closure #1 in close(_:) in desk (pid PID): a call comes to, in this order
           PATCH          VERSION  KIND      AT          CALLS  ERRORS
        1  loud                 0  override  loud.lua:6      0       0
           (the program)           original
        the original is the program's own code: ./desk at ADDRESS
        HI HELLO 3
        3
        desk is open!
        shut?
        restored baseline: 1 patch ended, 3 entries verified, 0 differences
        ended loud
        hi hello 3

        """)
  }

  @Test
  func `calls of closures are traced, recorded and compared, and none is called on an argument`()
    throws
  {
    let played = try run(
      """
      watch() {
        : >shown
        waxwing "$@" -n 1 >shown 2>&1 &
        until grep -q 'Ctrl-C' shown; do sleep 0.02; done
        say desk
        wait $!
      }
      watch trace 'closure #1 in'
      grep -o 'desk.Desk.*' shown
      watch record desk.Desk.closure
      grep -o 'desk.Desk.closure.*' shown
      waxwing replay 1
      waxwing replay --end >/dev/null
      watch shadow loud.lua
      grep -o 'desk.Desk.*(.*' shown | head -n 1
      waxwing trace 'closure #3 in boot'
      waxwing trace 'closure #1 in boto'
      """)
    expectContains(
      played,
      """
      desk is open
      desk.Desk.closure #1 in open(_:)  (desk.Visit(name: "desk"), 3)  = "desk is open"
      desk is open
      desk.Desk.closure #1 in open(_:)  (desk.Visit(name: "desk"), 3)  = "desk is open"
      waxwing: error: a closure cannot be run again: nothing has what it captured
      desk is open
      desk.Desk.closure #1 in open  (desk.Visit(name: "desk"), 3)
      waxwing: error: no function that can be overridden matches `closure #3 in boot`
        desk.closure #3 in boot(_:greeting:): nothing tells how it is called: the program's code does not pass it straight to a function; override what it calls
      waxwing: hint: `waxwing points --closures` lists the closures
      waxwing: error: no function that can be overridden matches `closure #1 in boto`
      """)
  }

  @Test func `rules and manifests mean closures by their names, and by their functions'`() throws {
    try shell.directory.write(
      """
      protect desk.closure*, desk.Desk.open, desk.closurf*

      """, to: "desk.conf")
    try shell.directory.write(
      """
      patch { name = "named", overrides = { "desk.Desk.closure #1 in close" } }
      class("desk.Desk").static["closure #1 in close(_:)"] = function(visit) return "named" end

      """, to: "named.lua")
    try shell.directory.write(
      """
      patch { name = "other", overrides = { "desk.Desk.closure #1 in close", "desk.closure #2 in boot" } }
      class("desk.Desk").static["closure #1 in close(_:)"] = function(visit) return "named" end

      """, to: "other.lua")
    let played = try run(
      """
      until waxwing status | grep 'names no function'; do sleep 0.05; done
      waxwing apply loud.lua
      waxwing points --program desk --closures open | grep -c 'the host protects `desk.Desk.open`'
      waxwing apply named.lua
      say shut
      waxwing apply other.lua
      """)
    expectEqual(
      played,
      """
        warning: `protect desk.closurf*` names no function of this program; did you mean 'desk'?
      waxwing: error: loud.lua: desk.closure #1 in boot(_:greeting:) may not be patched here: the host protects `desk.closure*`
      waxwing: hint: leave it out of the patch, or ask the program's operator to change the rules
      2
      applied named version 0 to desk (pid PID): 1 override
        desk.Desk.closure #1 in close(_:)
      named
      waxwing: error: other.lua: `overrides` lists desk.closure #2 in boot, which the patch does not override
      waxwing: hint: take it out of the manifest

      """)
  }
}

// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `waxwing apply --dry-run`: what an apply would do is said, and nothing is done.
@Suite struct DryRunTests {
  private let stage: Stage
  private let log: TemporaryFolder

  init() throws {
    log = try TemporaryFolder()
    stage = try Stage(environment: ["WAXWING_LOG_DIR": log.path])
    try stage.write(Self.fees, to: "fees.lua")
  }

  private static let fees = """
    patch { name = "fees", version = 2, program = "bankd" }
    local Fees = class "bankd.FeeSchedule"
    function Fees:fee(amount) return 7 end
    on("starting", function() log.warn("a callback runs") end)
    on("started", function() log.warn("a callback runs") end)
    on("ending", function() log.warn("a callback runs") end)
    on("ended", function() log.warn("a callback runs") end)
    log.info("the script runs")
    """

  private var events: [String] {
    get throws {
      try String(contentsOfFile: "\(log.path)/bankd.audit", encoding: .utf8).split(separator: "\n")
        .map { line in
          let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          return "\(record?["event"] ?? "") \(record?["verdict"] ?? "")"
        }
    }
  }

  /// What `status` and `list` say, with the ID of the set of live patches.
  private func state() throws -> String {
    let list = try stage.tool(["list", "--json"]).run().standardOutput
    let status = try stage.tool(["status", "--exit-zero"]).run().standardOutput
    // The log has grown.
    let lines = status.split(separator: "\n").filter { !$0.hasPrefix("audit") }
    return list + lines.joined(separator: "\n")
  }

  @Test func `it says what would be overridden, and leaves no trace`() throws {
    let before = try state()
    try stage.plays(
      """
      waxwing apply fees.lua --dry-run
        would apply fees version 2 to bankd (pid PID): 1 override
          bankd.FeeSchedule.fee(on:)  fees.lua:3
        nothing was changed
      waxwing versions
        bankd (pid PID): all types are at version 0
      """)
    try expectEqual(state(), before)
    #expect(stage.log.contains("the script runs") && !stage.log.contains("a callback runs"))
    try expectEqual(events, ["listen done", "check done"])
    // Nothing was ever overridden, so that there is nothing to verify.
    let restored = try stage.waxwing(["restore"])
    expectContains(restored, "nothing to do: bankd is at baseline")
  }

  @Test func `what is live stays, and what would end is named`() throws {
    try stage.write(
      """
      patch { name = "fees", version = 1 }
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return 1 end
      """, to: "older.lua")
    try stage.write(
      """
      patch { name = "other" }
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return self:ORIGfee(amount) end
      """, to: "other.lua")
    _ = try stage.waxwing(["apply", "older.lua", "other.lua"])
    let before = try state()
    try stage.plays(
      """
      waxwing apply fees.lua --dry-run
        would apply fees version 2 to bankd (pid PID): 1 override, in place of version 1
          bankd.FeeSchedule.fee(on:)  fees.lua:3 (overridden by other too)
        nothing was changed
      waxwing apply fees.lua --replace --dry-run
        would apply fees version 2 to bankd (pid PID): 1 override, in place of version 1
          bankd.FeeSchedule.fee(on:)  fees.lua:3
        would end other
        nothing was changed
      waxwing apply other.lua --dry-run
        unchanged: other version 0 is live in bankd (pid PID) already
        nothing was changed
      """)
    try expectEqual(state(), before)
    // And it is applied as it was said.
    let applied = try stage.waxwing(["apply", "fees.lua"])
    expectContains(applied, "applied fees version 2")
    expectContains(stage.log, "a callback runs")
  }

  @Test func `classes, tasks and methods of a dry run are gone, and it can be applied`() throws {
    try stage.write(
      """
      patch { name = "all" }
      local Account = class "bankd.Account"
      local Frozen = class("FrozenAccount", "bankd.Account")
      function Frozen:withdraw(amount, memo) return false end
      Account:method("summary", function(self) return self.title end)
      Account:after("withdraw(_:memo:)", function(self, paid) return paid end)
      task(function() while true do sleep(0.05) log.warn("a task runs") end end)
      """, to: "all.lua")
    let before = try state()
    for _ in 1...3 {
      let dry = try stage.waxwing(["apply", "all.lua", "--dry-run"])
      expectContains(dry, "would apply all version 0")
      expectContains(dry, "bankd.Account.summary (added)")
      expectContains(dry, "bankd.Account.withdraw(_:memo:) (advice)  all.lua:6")
    }
    try expectEqual(state(), before)
    let applied = try stage.waxwing(["apply", "all.lua"])
    expectContains(applied, "applied all version 0")
  }

  @Test func `what an apply would refuse is refused, with the same words`() throws {
    let before = try state()
    for (text, options) in [
      ("local Account = class 'bankd.Account'\nfunction Account:withdrow() end", []),
      ("patch { program = 'shopd' }", []), ("patch { capabilities = { 'unlimited' } }", []),
      ("patch { overrides = { 'bankd.Account.withdraw(_:memo:)' } }", []),
      ("this is no Lua", []), ("error('not today')", []), ("return 1", ["--if-current", "0-1"]),
    ] as [(String, [String])] {
      try stage.write(text, to: "bad.lua")
      let arguments = ["apply", "bad.lua", "--socket", stage.socket] + options
      let dry = try stage.waxwing(arguments + ["--dry-run"])
      try expectEqual(stage.waxwing(arguments), dry)
      #expect(dry.hasSuffix("exited(3)") || dry.hasSuffix("exited(4)"), "\(dry)")
    }
    try expectEqual(state(), before)
    try #expect(events.contains("check refused"))
  }
}

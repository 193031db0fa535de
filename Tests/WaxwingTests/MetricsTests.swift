// SPDX-License-Identifier: MIT

import Bank
import Testing

@testable import Waxwing

extension EngineSuite {
  @Suite struct MetricsTests {
    private func metrics() throws -> PrometheusText {
      try PrometheusText(try WaxwingEngine.metrics())
    }

    @Test func `9 calls, faults, memory and operations are counted`() throws {
      let account = Account(id: 1, owner: "Ada")
      let before = try metrics()
      let applied = before.value("waxwing_apply_total", ["result": "done"]) ?? -1
      let refused = before.value("waxwing_apply_total", ["result": "refused"]) ?? -1
      let generation = before.value("waxwing_generation") ?? -1
      try withPatch(
        """
        local A = class "Bank.Account"
        local calls = 0
        function A:describe()
          calls = calls + 1
          if calls == 2 then error("second") end
          return "patched"
        end
        """, name: "say\"\\"
      ) {
        for _ in 0..<3 { _ = account.describe() }
        let now = try metrics()
        let labels = ["patch": "say\"\\", "method": "Bank.Account.describe()"]
        #expect(now.value("waxwing_calls_total", labels) == 3)
        #expect(now.value("waxwing_faults_total", labels) == 1)
        #expect(now.value("waxwing_fallbacks_total", labels) == 1)
        #expect(now.value("waxwing_bypassed_total", labels) == 0)
        #expect(now.value("waxwing_breaker_open", labels) == 0)
        #expect(now.value("waxwing_lua_bytes", ["patch": "say\"\\"]) ?? 0 > 10_000)
        #expect(now.value("waxwing_overrides_active") == 1)
        #expect(now.value("waxwing_patches_active") == 1)
        #expect(now.value("waxwing_apply_total", ["result": "done"]) == applied + 1)
        #expect(now.value("waxwing_generation") == generation + 1)
      }
      _ = refusal("this is no Lua")
      let after = try metrics()
      #expect(after.value("waxwing_apply_total", ["result": "refused"]) == refused + 1)
      #expect(after.value("waxwing_generation") == generation + 2)
      #expect(after.value("waxwing_overrides_active") == 0)
      #expect(after.types["waxwing_calls_total"] == nil)
      #expect(after.values.keys.contains { $0.name == "waxwing_info" })
    }

    @Test func `F55 series beyond a thousand are added up`() throws {
      var text = MetricsText()
      text.add("a_total", .counter, "First.", (0..<700).map { ([("method", "m\($0)")], 1) })
      text.add("b_total", .counter, "Second.", (0..<700).map { ([("method", "m\($0)")], 2) })
      text.add("c_total", .counter, "Third.", (0..<700).map { ([("method", "m\($0)")], 3) })
      text.add("d", .gauge, "One value always has room.", 4)
      let found = try PrometheusText(text.text)
      #expect(found.values.count <= 1002)
      #expect(found.value("b_total", ["method": "other"]) == Double(700 - 299) * 2)
      #expect(found.value("c_total", ["method": "other"]) == 2100)
      #expect(found.value("d") == 4)
    }
  }

  @Suite struct EventTests {
    @Test func `9 an event is one line of JSON, and its text cannot look like another`() {
      let event = LogEvent(
        level: .warning, event: "patch.log", message: "a\n{\"level\":\"error\"}\u{1b}[2J\u{202e}",
        fields: [("patch", "p"), ("level", "forged"), ("patch", "q"), ("ä \"", "\\")])
      let line = event.json
      #expect(!line.utf8.contains { $0 < 0x20 })
      #expect(line.hasPrefix(#"{"ts":"20"#))
      #expect(line.contains(#""level":"warning","event":"patch.log","svc":""#))
      #expect(
        line.contains(#""message":"a\n{\"level\":\"error\"}\u001b[2J\u202e","patch":"p""#),
        "\(line)")
      #expect(line.hasSuffix(#""level_2":"forged","patch_2":"q","ä \"":"\\"}"#), "\(line)")
      #expect(event.milliseconds > 1_700_000_000_000)
    }

    @Test func `9 applying and ending have their events, each with its time`() throws {
      let names = LogLines()
      WaxwingEngine.setLogHandler { names.add($0.event + " " + String($0.json.prefix(9))) }
      let session = try WaxwingEngine.start(
        text: "local A = class \"Bank.Account\"\nfunction A:describe() return \"x\" end",
        name: "events")
      try WaxwingEngine.end(session)
      #expect(names.all == [#"patch.applied {"ts":"20"#, #"patch.ended {"ts":"20"#])
    }
  }
}

// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import WaxwingOperations

@testable import Waxwing

extension EngineSuite {
  @Suite struct MetricsTests {
    private func metrics() throws -> PrometheusText {
      // Both forms have to be right, and to say the same.
      let open = try PrometheusText(try WaxwingEngine.metrics(openMetrics: true), openMetrics: true)
      let text = try PrometheusText(try WaxwingEngine.metrics())
      expectEqual(Set(open.values.keys), Set(text.values.keys))
      return text
    }

    @Test func `calls, faults, memory and operations are counted`() throws {
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
        expectEqual(now.value("waxwing_calls_total", labels), 3)
        expectEqual(now.value("waxwing_faults_total", labels), 1)
        expectEqual(now.value("waxwing_fallbacks_total", labels), 1)
        expectEqual(now.value("waxwing_bypassed_total", labels), 0)
        expectEqual(now.value("waxwing_breaker_open", labels), 0)
        #expect(now.value("waxwing_lua_bytes", ["patch": "say\"\\"]) ?? 0 > 10_000)
        expectEqual(now.value("waxwing_overrides_active"), 1)
        expectEqual(now.value("waxwing_entries_not_at_baseline"), 1)
        expectEqual(now.value("waxwing_differences"), 0)
        expectEqual(now.value("waxwing_calls_in_flight", ["patch": "say\"\\"]), 0)
        expectEqual(now.value("waxwing_measured", ["patch": "say\"\\"]), 0)
        #expect(now.types["waxwing_override_seconds"] == nil)
        let failed = ["event": "override.failed", "level": "error"]
        let failedBefore = before.value("waxwing_events_total", failed) ?? 0
        expectEqual(now.value("waxwing_events_total", failed), failedBefore + 1)
        expectEqual(now.value("waxwing_patches_active"), 1)
        expectEqual(now.value("waxwing_apply_total", ["result": "done"]), applied + 1)
        expectEqual(now.value("waxwing_generation"), generation + 1)
      }
      _ = refusal("this is no Lua")
      let after = try metrics()
      expectEqual(after.value("waxwing_apply_total", ["result": "refused"]), refused + 1)
      expectEqual(after.value("waxwing_generation"), generation + 2)
      expectEqual(after.value("waxwing_overrides_active"), 0)
      expectEqual(after.value("waxwing_entries_not_at_baseline"), 0)
      #expect(after.types["waxwing_calls_total"] == nil)
      #expect(after.values.keys.contains { $0.name == "waxwing_info" })
    }

    @Test func `series beyond a thousand are added up`() throws {
      var text = MetricsText()
      text.add("a_total", .counter, "First.", (0..<700).map { ([("method", "m\($0)")], 1) })
      text.add("b_total", .counter, "Second.", (0..<700).map { ([("method", "m\($0)")], 2) })
      text.add("c_total", .counter, "Third.", (0..<700).map { ([("method", "m\($0)")], 3) })
      text.add("d", .gauge, "One value always has room.", 4)
      let found = try PrometheusText(text.text)
      #expect(found.values.count <= 1002)
      expectEqual(found.value("b_total", ["method": "other"]), Double(700 - 299) * 2)
      expectEqual(found.value("c_total", ["method": "other"]), 2100)
      expectEqual(found.value("d"), 4)
    }
  }

  @Suite struct EventTests {
    @Test func `an event is one line of JSON, and its text cannot look like another`() {
      let event = LogEvent(
        level: .warning, event: "patch.log", message: "a\n{\"level\":\"error\"}\u{1b}[2J\u{202e}",
        fields: [
          ("patch", "p"), ("level", "forged"), ("patch", "q"), ("ä \"", "\\"), ("n", 5),
          ("ok", true),
          ("x", LogEvent.Value.number(0.5)), ("inf", LogEvent.Value.number(.infinity)),
        ])
      let line = event.json
      #expect(!line.utf8.contains { $0 < 0x20 })
      #expect(line.hasPrefix(#"{"ts":"20"#))
      #expect(line.contains(#""level":"warning","event":"patch.log","svc":""#))
      #expect(
        line.contains(#""message":"a\n{\"level\":\"error\"}\u001b[2J\u202e","patch":"p""#),
        "\(line)")
      #expect(
        line.hasSuffix(
          #""level_2":"forged","patch_2":"q","ä \"":"\\","n":5,"ok":true,"x":0.5,"inf":"inf"}"#),
        "\(line)")
      #expect(event.milliseconds > 1_700_000_000_000)
      expectEqual(
        event.line.dropFirst("2026-05-04T03:02:01.123Z".count),
        #" waxwing warning patch.log: "a\n{\"level\":\"error\"}\u{1b}[2J\u{202e}" patch=p "#
          + #"level_2=forged patch_2=q "ä \""="\\" n=5 ok=true x=0.5 inf=inf"#)
      #expect(event.line.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z .*/#) != nil)
    }

    @Test func `an error that was raised again has its position once`() throws {
      let thrower = Thrower()
      try withPatch(
        """
        local T = class "Bank.Thrower"
        function T:attempt(value)
          local ok, why = pcall(function() error("inner") end)
          error(why, 0)
        end
        """
      ) {
        let error = #expect(throws: LuaError.self) { _ = try thrower.attempt(1) }
        expectEqual(error?.description, "test.lua:3: inner")
      }
    }

    @Test func `fields cannot be read into a message, nor a message into a field`() {
      let event = LogEvent(
        level: .info, event: "patch.log", message: "done patch=other signer=root",
        fields: [("patch", "p q=1"), ("at", "")])
      #expect(
        event.line.hasSuffix(
          #"patch.log: "done patch=other signer=root" patch="p q=1" at="""#), "\(event.line)")
    }

    @Test func `nothing that a hostile patch writes looks like an event of the engine's`() throws {
      let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Hostile")
      let text = try String(
        contentsOf: fixtures.appendingPathComponent("T2_g63_print_esc.lua"), encoding: .utf8)
      let lines = LogLines()
      WaxwingEngine.setLogHandler { event in
        lines.add(event.line)
        lines.add(event.json)
      }
      let error = #expect(throws: WaxwingError.self) {
        try WaxwingEngine.start(text: text, name: "forger")
      }
      WaxwingEngine.setLogHandler { _ in }
      #expect(lines.all.count >= 2 && error?.message.contains("forged") == true)
      for line in lines.all {
        let isClean = line.unicodeScalars.allSatisfy {
          ![.control, .format].contains($0.properties.generalCategory)
        }
        #expect(isClean, "\(line)")
      }
    }

    @Test
    func `what a patch logs are values: numbers, truth values, Swift values as print has them`()
      throws
    {
      let lines = LogLines()
      try withPatch(
        """
        local A = class "Bank.Account"
        function A:describe()
          log.info(self)
          print(self)
          log.info("values", { n = 3, x = 0.5, ok = false, text = "3", account = self })
          return "x"
        end
        """
      ) {
        WaxwingEngine.setLogHandler { event in
          lines.add(event.message)
          if event.message == "values" { lines.add(event.json) }
        }
        _ = Account(owner: "Ada").describe()
        WaxwingEngine.setLogHandler { _ in }
      }
      try #require(lines.all.count == 4)
      #expect(lines.all[0] == lines.all[1] && !lines.all[0].isEmpty)
      #expect(lines.all[3].contains(#""n":3,"ok":false,"text":"3","x":0.5}"#), "\(lines.all[3])")
      let json = try JSONSerialization.jsonObject(with: Data(lines.all[3].utf8))
      #expect((json as? [String: Any])?["account"] as? String == lines.all[0])
    }

    @Test func `applying and ending have their events, each with its time`() throws {
      let names = LogLines()
      WaxwingEngine.setLogHandler { names.add($0.event + " " + String($0.json.prefix(9))) }
      let session = try WaxwingEngine.start(
        text: "local A = class \"Bank.Account\"\nfunction A:describe() return \"x\" end",
        name: "events")
      try WaxwingEngine.end(session)
      expectEqual(names.all, [#"patch.applied {"ts":"20"#, #"patch.ended {"ts":"20"#])
    }
  }
}

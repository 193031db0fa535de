// SPDX-License-Identifier: MIT

import ByteTrials
import Foundation
import Testing
import WaxwingControl

@Suite struct TimesTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// One override that is measured, and one that was called before that.
  static let measured: PatchStatus = {
    var withdraw = OverrideStatus(selector: "withdraw(_:memo:)", type: "Bank.Account", calls: 1200)
    withdraw.times = TimesReport(
      calls: 1000, sum: 2012.5, p50: 0.00082, p99: 0.0123, longest: 999.6)
    withdraw.originalTimes = TimesReport(
      calls: 3, sum: 0.0615, p50: 0.02, p99: 0.0205, longest: 0.021)
    var fee = OverrideStatus(selector: "fee(_:)", type: "Bank")
    fee.times = TimesReport(calls: 0, sum: 0, p50: 0, p99: 0, longest: 0)
    fee.originalTimes = fee.times
    var patch = PatchStatus(
      name: "overdraft", version: 3, file: "overdraft.lua", state: .active,
      appliedAt: Timestamp(secondsSince1970: 0), overrides: [withdraw, fee])
    patch.isMeasured = true
    return patch
  }()

  @Test func `times are a table of overrides and their originals`() throws {
    let daemon = try FakeDaemon(tool) { _ in
      .to(ListRequest.self, [Self.measured, FakeDaemon.rounding])
    }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("times")
        == Tool.Result(
          exitCode: 0,
          output: """
            PATCH      OVERRIDE                        CALLS      P50      P99  LONGEST    TOTAL
            overdraft  Bank.Account.withdraw(_:memo:)   1000   820 ns  12.3 µs   1.00 s   2.01 s
                         its original                      3  20.0 µs  20.5 µs  21.0 µs  61.5 µs
                       Bank.fee(_:)                        0        0        0        0        0
            not measured: rounding; `waxwing times on` begins

            """))
    let list = try tool.run("list").output
    #expect(list.hasPrefix("PATCH      VERSION  STATE     OVERRIDE"))
    #expect(list.contains("CALLS  ERRORS     P50      P99  LONGEST\n"))
    #expect(list.contains("1200       0  820 ns  12.3 µs   1.00 s\n"))
    struct Document: Decodable {
      struct Times: Decodable {
        let calls: Int
        let sumMilliseconds, p50Milliseconds, p99Milliseconds, longestMilliseconds: Double
      }

      struct Override: Decodable { let times: Times? }

      struct Patch: Decodable { let overrides: [Override] }

      let measured: [String]
      let patches: [Patch]
    }
    let json = try tool.run("times", "--json").output
    let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
    let times = document.patches[0].overrides[0].times
    #expect(document.measured == ["overdraft"] && times?.p99Milliseconds == 0.0123)
    #expect(times?.p50Milliseconds == 0.00082 && times?.sumMilliseconds == 2012.5)
    #expect(times?.longestMilliseconds == 999.6 && times?.calls == 1000)
  }

  @Test func `measuring begins and ends, of all patches or some`() throws {
    let daemon = try FakeDaemon(tool)
    defer { daemon.server.stop() }
    #expect(
      try tool.run("times", "on", "overdraft", "fees").output
        == "bankd (pid 4711): measured: overdraft, fees\n")
    #expect(
      try tool.run("times", "off").output == "bankd (pid 4711): no live patch is measured\n")
    #expect(try tool.run("times", "on", "a", "--json").output.contains(#""measured" : ["#))
    let wrong = try tool.run("times", "onn")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("'onn' is not on or off"))
    #expect(try tool.run("times", "bankd").exitCode == 0)
  }

  @Test func `explain tells the times of an override and its originals`() throws {
    var step = PointStatus.Step(
      patch: "overdraft", version: 3, kind: .override, place: "overdraft.lua:12", calls: 4)
    step.times = TimesReport(calls: 4, sum: 1, p50: 0.25, p99: 0.5, longest: 0.5)
    step.originalTimes = TimesReport(calls: 1, sum: 1, p50: 0.1, p99: 0.1, longest: 0.1)
    let point = PointStatus(
      name: "Bank.fee(_:)", steps: [step], image: "/b", offset: 1, isAtBaseline: false)
    let daemon = try FakeDaemon(tool) { _ in .to(ExplainRequest.self, point) }
    defer { daemon.server.stop() }
    #expect(
      try tool.run("explain", "fee").output.hasSuffix(
        """
        1: 4 calls took p50 250 µs, p99 500 µs, longest 500 µs
        1: of its original, 1 call took p50 100 µs, p99 100 µs, longest 100 µs

        """))
  }

  @Test func `metrics are OpenMetrics where that is asked for, and the daemon knows it`() throws {
    let daemon = try FakeDaemon(tool)
    #expect(try tool.run("metrics").output == "# TYPE waxwing_info gauge\nwaxwing_info 1\n")
    #expect(try tool.run("metrics", "--openmetrics").output.hasSuffix("waxwing_info 1\n# EOF\n"))
    daemon.server.stop()
    let old = try FakeDaemon(tool) { _ in .to(MetricsRequest.self, "waxwing_info 1\n") }
    defer { old.server.stop() }
    let result = try tool.run("metrics", "--openmetrics")
    #expect(result.exitCode == 1 && result.errors.contains("does not write OpenMetrics"))
  }
}

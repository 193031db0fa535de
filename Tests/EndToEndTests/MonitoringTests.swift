// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The metrics of a daemon, and what examples/monitoring makes of them, as Prometheus's own tool sees them.
@Suite struct MonitoringTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let examples = root.appendingPathComponent("examples/monitoring")

  /// Of a daemon whose patch has everything that can be counted.
  private func metrics(_ options: String...) throws -> String {
    let stage = try Stage()
    try stage.write(
      """
      local Account = class "bankd.Account"
      function Account:deposit(amount, memo)
        if amount == 13 then error("unlucky") end
        return self:ORIGdeposit(amount, memo)
      end
      """, to: "seeing.lua")
    _ = try stage.transcript(
      """
      POST /accounts {"owner":"Ada"}
      waxwing apply seeing.lua
      waxwing times on
      POST /accounts/1001/deposit {"amount":5,"memo":"x"}
      POST /accounts/1001/deposit {"amount":13,"memo":"x"}
      """)
    let result = try stage.tool(["metrics"] + options).run()
    expectSuccess(result)
    return result.standardOutput
  }

  /// Runs promtool on a text.
  private func promtool(_ text: String, _ arguments: [String]) throws -> CommandResult {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "input")
    return try Command(
      "/bin/bash",
      ["-c", #"exec "$0" "${@:2}" < "$1""#, Self.root.path + "/scripts/promtool", file] + arguments
    ).run()
  }

  private func names(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: #/\bwaxwing_[a-z0-9_]+/#).map { String($0.output) })
  }

  /// Samples, and not the comments above them.
  private func samples(of metrics: String) -> Set<String> {
    names(
      in: metrics.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { $0.prefix { $0 != "{" && $0 != " " } }.joined(separator: "\n"))
  }

  /// What the panels and the annotations of the dashboard ask for.
  private func expressions() throws -> [String] {
    func found(in value: Any) -> [String] {
      switch value {
      case let members as [String: Any]:
        members.flatMap { key, member in
          key == "expr" ? [member as? String].compactMap(\.self) : found(in: member)
        }
      case let elements as [Any]: elements.flatMap(found)
      default: []
      }
    }
    let file = try Data(contentsOf: Self.examples.appendingPathComponent("dashboard.json"))
    return found(in: try JSONSerialization.jsonObject(with: file)).sorted()
  }

  @Test func `promtool finds nothing wrong with the metrics`() throws {
    let text = try metrics()
    expectContains(text, "\nwaxwing_override_seconds_bucket{patch=\"seeing\",")
    let result = try promtool(text, ["check", "metrics"])
    #expect(result.isSuccess && result.standardError == "", "\(result.standardError)")
  }

  @Test func `OpenMetrics has the same samples`() throws {
    let open = try metrics("--openmetrics")
    #expect(open.hasSuffix("\n# EOF\n") && open.contains("\n# TYPE waxwing_calls counter\n"))
    expectContains(open, "# TYPE waxwing info\n")
    expectEqual(samples(of: open), samples(of: try metrics()))
  }

  @Test func `each metric is in the documents`() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/control.md"), encoding: .utf8)
    let families = try metrics().split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
      .map { String($0.split(separator: " ")[2]) }
    #expect(families.count > 30)
    expectEqual(families.filter { !names(in: page).contains($0) }, [])
  }

  @Test func `the alert rules are rules, about metrics that exist`() throws {
    let path = Self.examples.appendingPathComponent("alerts.yml")
    let result = try promtool("", ["check", "rules", path.path])
    expectSuccess(result)
    let named = names(in: try String(contentsOf: path, encoding: .utf8))
    #expect(named.count > 10)
    expectEqual(named.subtracting(samples(of: try metrics())), [])
  }

  @Test func `the dashboard's expressions are expressions, of metrics that exist`() throws {
    let expressions = try expressions()
    #expect(expressions.count > 20)
    let known = samples(of: try metrics())
    for expression in expressions {
      let named = names(in: expression)
      #expect(!named.isEmpty && named.subtracting(known) == [], "\(expression)")
    }
    // Grafana puts its variables in before Prometheus sees an expression.
    let rules = expressions.enumerated().map { index, expression in
      let text = expression.replacing("$__rate_interval", with: "5m")
        .replacing(#/\$[a-z]+/#, with: ".*")
      return "  - {record: \"dashboard:\(index)\", expr: '\(text.replacing("'", with: "''"))'}"
    }
    let folder = try TemporaryFolder()
    let file = try folder.write(
      Array(("groups:\n- name: dashboard\n  rules:\n" + rules.joined(separator: "\n") + "\n").utf8),
      to: "rules.yml")
    let result = try promtool("", ["check", "rules", file])
    expectSuccess(result)
  }
}

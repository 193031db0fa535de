// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// `scripts/sweep` on a small program, with workloads that behave and that do not.
@Suite struct SweepTests {
  let shell: Shell
  let program: String

  init() throws {
    shell = try Shell()
    program = try BuiltProduct("crashd").path
    // Starts the program, shows what it says until its work begins, and ends it.
    try shell.directory.write(
      """
      exec 3< <(exec '\(program)' 2>/dev/null; )
      process=$!
      while read -r line <&3; do
        case $line in crashd*) continue ;; value*) echo "$line"; break ;; esac
      done
      kill "$process"
      """, to: "work.sh")
  }

  @Test func `a program that is as it was under pass-through is the same at each point`() throws {
    let report = try sweep("bash", "work.sh")
    expectSuccess(report.result)
    #expect(report.json.contains(#""changed": 0"#) && report.json.contains(#""crashed": 0"#))
    expectContains(report.json, #""stable": true"#)
    expectContains(report.result.standardOutput, "all at once: same\n")
    #expect(!report.json.contains(#""same": 0"#))
  }

  @Test func `what changes and what crashes is found, with the first line that differs`() throws {
    // As if an override of `value` changed what the program says, and one of `name` killed it.
    try shell.directory.write(
      """
      text=$(cat ${WAXWING_PATCHES//:/ } </dev/null)
      case $text in
        *sweep-0*) ;;
        *:value*) bash work.sh | sed 's/value 7/value 8/;s/value/VALUE/'; exit ;;
        *:name*) bash work.sh; kill -SEGV $$ ;;
      esac
      bash work.sh
      """, to: "odd.sh")
    let report = try sweep("bash", "odd.sh")
    expectEqual(report.result.status, .exited(1))
    expectContains(report.result.standardOutput, "changed: crashd.Probe.value(_:)")
    expectContains(report.result.standardOutput, "> VALUE")
    expectContains(report.result.standardOutput, "crashed: crashd.Probe.name()")
    expectContains(report.result.standardOutput, "ended by signal 11")
    #expect(report.json.contains(#""changed": 1"#) && report.json.contains(#""crashed": 1"#))
  }

  @Test func `a workload that does not start the program is no success`() throws {
    let report = try sweep("true")
    expectEqual(report.result.status, .exited(1))
    expectContains(report.result.standardOutput, "has to call WaxwingEngine.listen")
  }

  @Test(arguments: [[], ["--live"]])
  func `a program under exec is swept at its start and live, and its options are its own`(
    options: [String]
  )
    throws
  {
    let tickd = try BuiltProduct("tickd").path
    let report = try sweep(
      tickd, ["--only", "tickd.ticker"] + options,
      [try BuiltProduct("waxwing").path, "exec", "--allow-unsigned", tickd, "--jobs", "9"])
    expectSuccess(report.result)
    expectContains(report.result.standardOutput, "all at once: same\n")
    expectContains(report.json, #""same": 3"#)
    #expect(report.json.contains(#""--jobs""#) && report.json.contains(#""9""#))
    expectContains(report.json, #""live": \#(!options.isEmpty)"#)
  }

  @Test func `an override that fails is not the same, though the original answers`() throws {
    let tickd = try BuiltProduct("tickd").path
    try shell.directory.write(
      """
      sed -i 's/return original(.*/return nothing.at.all/' ${WAXWING_PATCHES//:/ } </dev/null
      printf 'one\n' | '\(try BuiltProduct("waxwing").path)' exec --allow-unsigned '\(tickd)' 2>/dev/null
      """, to: "failing.sh")
    let report = try sweep(tickd, ["--only", "tickd.ticker.label"], ["bash", "failing.sh"])
    expectEqual(report.result.status, .exited(1))
    expectContains(report.result.standardOutput, "failed: tickd.Ticker.label(_:_:)")
    expectContains(report.result.standardOutput, "override.failed: point.lua:")
    expectContains(report.json, #""failed": 1"#)
  }

  private func sweep(_ command: String...) throws -> (result: CommandResult, json: String) {
    try sweep(program, ["--only", "crashd.probe"], command)
  }

  private func sweep(
    _ program: String, _ options: [String], _ command: [String]
  ) throws -> (result: CommandResult, json: String) {
    let file = URL(fileURLWithPath: #filePath)
    let script = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("scripts/sweep").path
    let result = try Command(
      script, [program] + options + ["--jobs", "2", "--json", "report.json", "--"] + command,
      environment: ["WAXWING": try BuiltProduct("waxwing").path], directory: shell.path
    ).run()
    let json = try? String(
      contentsOf: URL(fileURLWithPath: "\(shell.path)/report.json"), encoding: .utf8)
    return (result, json ?? "")
  }
}

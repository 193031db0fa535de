// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

@Suite struct BankdSweepTests {
  /// Without optimisation each daemon takes seconds to load a patch of all its functions.
  #if DEBUG
    private static let tests = "^BankdTests\\.(Account|Exchange|Transfer|Waiting|Bug)Tests"
  #else
    private static let tests = "^BankdTests\\."
  #endif

  @Test func `bankd passes its own tests with all of its functions overridden`() throws {
    let directory = try TemporaryDirectory()
    let patch = try Command(
      try BuiltProduct("waxwing").path, ["points", try BuiltProduct("bankd").path, "--patch"]
    ).run()
    #expect(patch.isSuccess, "\(patch.standardError)")
    let file = try directory.write(patch.standardOutput, to: "all.lua")
    let faults = try directory.write("", to: "faults")

    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let tests = try Command(
      bundle,
      ["--testing-library", "swift-testing", "--filter", Self.tests],
      environment: [PatchedBankd.patchVariable: file, PatchedBankd.faultsVariable: faults]
    ).run(timeout: .seconds(300))
    let output = tests.standardOutput + tests.standardError
    #expect(tests.isSuccess, "\(output)")
    #expect(output.contains(#/Test run with [1-9]\d* tests/#), "\(output)")

    let reports = try String(contentsOf: URL(fileURLWithPath: faults), encoding: .utf8)
    #expect(reports.contains("calls"))
    let failed = reports.split(separator: "\n").filter { !$0.hasSuffix(", 0 errors") }
    #expect(failed == [])
  }
}

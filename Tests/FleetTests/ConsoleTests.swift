// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

extension FleetSuite {
  /// The console in a headless Chromium, see scripts/console-test.
  @Suite struct ConsoleTests {
    @Test(
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"),
        "the package chromium is not installed"))
    func `the page works by keyboard, in the dark, and halts only for whom it should`() throws {
      let folder = URL(fileURLWithPath: try BuiltProduct("waxwing-fleet").path)
        .deletingLastPathComponent().path
      let result = try Command("scripts/console-test", ["--programs", folder]).run(
        timeout: .seconds(120))
      #expect(result.isSuccess, "\(result)")
      #expect(result.standardOutput.contains("checks passed"))
    }
  }
}

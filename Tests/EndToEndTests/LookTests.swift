// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Looking at a program whose threads change what they share; `scripts/look` is the long form.
@Suite struct LookTests {
  @Test func `looking at what other threads change does not harm the program`() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "scripts/look")
    let programs = URL(fileURLWithPath: try BuiltProduct("sharedd").path)
      .deletingLastPathComponent()
    let result = try Command(script.path, ["--seconds", "4", "--programs", programs.path])
      .run(timeout: .seconds(180))
    expectSuccess(result)
    expectContains(result.standardOutput, "the program lived")
  }
}

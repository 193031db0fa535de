// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// The walk through docs/stacking.md.
@Suite struct StackingTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  @Test func `three patches on one function come and go as the walk says`() throws {
    let stage = try Stage()
    let patches = Self.root.appendingPathComponent("examples/bankd/patches")
    for name in ["overdraft.lua", "limit.lua", "audit.lua"] {
      try stage.write(
        String(contentsOf: patches.appendingPathComponent(name), encoding: .utf8), to: name)
    }
    let walk = try String(
      contentsOf: Self.root.appendingPathComponent("docs/stacking.md"), encoding: .utf8)
    let blocks = walk.components(separatedBy: "```transcript\n").dropFirst()
      .map { String($0.prefix(upTo: $0.range(of: "\n```")?.lowerBound ?? $0.endIndex)) }
    #expect(blocks.count > 8)
    try stage.plays(blocks.joined(separator: "\n"))
    expectContains(stage.log, "limit reached")
    for trouble in ["error", "Fatal", "Assertion", "attempt to", "leak", "Backtrace"] {
      #expect(!stage.log.contains(trouble), "\(stage.log)")
    }
    expectContains(stage.log, "audit over patch=audit at=audit.lua:32 asked=5 refused=2")
    expectEqual(stage.log.components(separatedBy: "first withdrawal since").count, 2)
  }
}

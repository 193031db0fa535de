// SPDX-License-Identifier: MIT

import Testing
import Waxwing

extension EngineSuite {
  /// What a patch's Lua state holds before its script does anything.
  @Suite struct SessionMemoryTests {
    private func memory(of script: String) throws -> Int {
      try WaxwingEngine.start(text: script, name: "memory")
      defer { _ = try? WaxwingEngine.restore() }
      let patch = try #require(WaxwingEngine.list().first { $0.name == "memory" })
      return patch.memory
    }

    @Test func `a patch holds what it uses of the engine's Lua code`() throws {
      let empty = try memory(of: "-- nothing")
      #expect(empty < 90_000, "\(empty) bytes")
      for script in [
        "coroutine.create(print)", "pcall(sleep, -1)", "class('Made', nil)",
        "pcall(conform, 1)",
      ] {
        let used = try memory(of: script)
        #expect(used > empty + 4_000, "\(script): \(used) bytes, \(empty) if it is empty")
      }
    }
  }
}

// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Testing
import Waxwing

extension EngineSuite {
  /// Patch files that are broken, before or after they were applied.
  @Suite struct BrokenPatchTests {
    private let patch = """
      local G = class "Bank.Greeter"
      function G:word() return require("words").hello end
      """
    private let words = "return { hello = 'lua' }"
    private let greeter = Greeter(name: "g")

    init() { WaxwingEngine.setLogHandler { _ in } }

    @Test func `a file that does not compile, or is none, changes nothing`() throws {
      let folder = try PatchFolder()
      let texts = [
        "syntax.lua": "local G = class 'Bank.Greeter'\nfunction G:word( return 1 end",
        "unfinished.lua": "local G = class 'Bank.Greeter'\nfunction G:word() return 'x'",
        "code.lua": "\u{1b}Lua\u{54}",
        "empty.lua": "",
        "name.lua": "local G = class 'Bank.Greter'\nfunction G:word() return 'x' end",
        "selector.lua":
          "local G = class 'Bank.Greeter'\nfunction G:word() end\nfunction G:wrd() end",
        "late.lua": "local G = class 'Bank.Greeter'\nfunction G:word() end\nerror('late')",
        "module.lua": "local G = class 'Bank.Greeter'\nfunction G:word() end\nrequire 'missing'",
        "manifest.lua":
          "patch { nmae = 'x' }\nlocal G = class 'Bank.Greeter'\nfunction G:word() end",
        "global.lua": "local G = class 'Bank.Greeter'\nfunction G:word() end\nundefinedGlobal()",
        "memory.lua": """
        patch { name = 'memory', limits = { memory = '1M' } }
        local G = class 'Bank.Greeter'
        function G:word() end
        local t = {}
        for i = 1, 1e7 do t[i] = { i } end
        """,
      ]
      for (name, text) in texts {
        try folder.write(text, name)
        #expect(throws: WaxwingError.self, "\(name)") { try WaxwingEngine.start(folder.path(name)) }
        #expect(greeter.word() == "hello" && patches().isEmpty, "\(name)")
      }
      #expect(throws: WaxwingError.self) { try WaxwingEngine.start(folder.path("missing.lua")) }
      #expect(throws: WaxwingError.self) { try WaxwingEngine.start(folder.path("")) }
      #expect(throws: WaxwingError.self) { try WaxwingEngine.start("/dev/null") }
      let clean = try WaxwingEngine.restore()
      #expect(clean.isComplete && clean.endedPatches == [])
    }

    @Test func `a patch whose file is gone, or is another one now, works and is restored`() throws {
      for spoil: (PatchFolder) throws -> Void in [
        { try FileManager.default.removeItem(atPath: $0.path("spoilt")) },
        { try $0.write("return { hello = 'other' }", "spoilt/words.lua") },
        { try $0.write("= broken =", "spoilt/main.lua") },
        { try $0.write("\u{1b}Lua", "spoilt/main.lua") },
      ] {
        let folder = try PatchFolder()
        try folder.write(patch, "spoilt/main.lua")
        try folder.write(words, "spoilt/words.lua")
        let session = try WaxwingEngine.start(folder.path("spoilt"))
        try spoil(folder)
        // The module is read from what was loaded, also the first time.
        expectEqual(greeter.word(), "lua")
        expectEqual(faults(), [])
        expectEqual(patches().map(\.name), ["spoilt"])
        let end = try WaxwingEngine.end(session)
        #expect(end.isComplete && end.entriesVerified > 0)
        expectEqual(greeter.word(), "hello")
      }
    }

    @Test func `a broken version in the place of a good one leaves that where it is`() throws {
      let folder = try PatchFolder()
      try folder.write(
        "local G = class 'Bank.Greeter'\nfunction G:word() return 'good' end", "same.lua")
      try WaxwingEngine.apply(folder.path("same.lua"))
      for text in ["= broken =", "error('no')", "on('starting', function() error('no') end)"] {
        try folder.write(text, "same.lua")
        #expect(throws: WaxwingError.self) { try WaxwingEngine.apply(folder.path("same.lua")) }
        #expect(greeter.word() == "good" && patches().map(\.name) == ["same"])
      }
      try FileManager.default.removeItem(atPath: folder.path("same.lua"))
      #expect(throws: WaxwingError.self) { try WaxwingEngine.apply(folder.path("same.lua")) }
      expectEqual(greeter.word(), "good")
      #expect(try WaxwingEngine.restore().isComplete)
      expectEqual(greeter.word(), "hello")
    }

    @Test func `a patch whose every call fails is restored like any other`() throws {
      let session = try WaxwingEngine.start(
        text: """
          patch { name = "failing", limits = { memory = "2M" } }
          local G = class "Bank.Greeter"
          local kept = {}
          function G:word()
            for i = 1, 1e7 do kept[#kept + 1] = { i } end
          end
          on("ending", function() error("no") end)
          on("ended", function() error("no") end)
          """, name: "failing")
      for _ in 0..<3 { expectEqual(greeter.word(), "hello") }
      expectEqual(patches().first?.overrides.first?.errors, 3)
      let end = try WaxwingEngine.end(session)
      #expect(end.isComplete && greeter.word() == "hello" && patches().isEmpty)
    }

    @Test func `the folder that the program stands in may be gone`() throws {
      let before = FileManager.default.currentDirectoryPath
      let folder = try PatchFolder()
      try folder.write(words, "here/words.lua")
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path("here")))
      defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
      let session = try WaxwingEngine.start(
        text: "local G = class 'Bank.Greeter'\nfunction G:word() return 'lua' end", name: "homeless"
      )
      try FileManager.default.removeItem(atPath: folder.path("here"))
      expectEqual(greeter.word(), "lua")
      #expect(try WaxwingEngine.end(session).isComplete && greeter.word() == "hello")
    }
  }
}

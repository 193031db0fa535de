// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Foundation
import Glibc
import Testing
import Waxwing
import WaxwingTestSupport

extension EngineSuite {
  /// Overrides of modules that are loaded later.
  @Suite struct LateModuleTests {
    private let folder: PatchFolder
    private let lines = LogLines()

    init() throws {
      folder = try PatchFolder()
      let lines = lines
      WaxwingEngine.setLogHandler { lines.add($0.line) }
    }

    /// Compiles a library as users do.
    /// - Returns: Its path.
    private func library(_ name: String, file: String? = nil) throws -> String {
      try folder.write(
        """
        public final class Greeter {
          let name: String
          public init(name: String) { self.name = name }
          public func greet(_ other: String) -> String { "\\(name) greets \\(other)" }
          public func part() -> Int { 1 }
        }
        public func sum(_ a: Int, _ b: Int) -> Int { a + b }
        @_cdecl("\(name)_probe")
        public func probe(_ a: Int) -> Int {
          Greeter(name: "G").greet("you").utf8.count * 1000 + sum(a, 1) + Greeter(name: "").part()
        }
        """, "\(name).swift")
      let path = folder.path(file ?? "lib\(name).so")
      let compiler = Command(
        "swiftc",
        [
          "-O", "-wmo", "-parse-as-library", "-emit-library", "-module-name", name,
          "-Xfrontend", "-enable-implicit-dynamic", folder.path("\(name).swift"), "-o", path,
        ])
      let result = try compiler.run(timeout: .seconds(300))
      try #require(result.isSuccess, "\(result)")
      return path
    }

    private typealias Probe = @convention(c) (Int) -> Int

    /// Loads the library and calls it at once.
    private func load(_ name: String, _ path: String) throws -> Probe {
      let handle = try #require(dlopen(path, RTLD_NOW))
      return unsafeBitCast(try #require(dlsym(handle, "\(name)_probe")), to: Probe.self)
    }

    private func patch(_ name: String) -> String {
      """
      local loads = 0
      when_loaded("\(name)", function()
        loads = loads + 1
        local Greeter = class "\(name).Greeter"
        function Greeter:greet(other) return self:ORIGgreet(other) .. loads end
        local Module = module "\(name)"
        function Module.sum(a, b) return 10 * Module.ORIGsum(a, b) end
      end)
      """
    }

    @Test func `an override waits for its module and is there at the first call`() throws {
      let path = try library("LatePlugin")
      let session = try WaxwingEngine.start(text: patch("LatePlugin"), name: "late")
      expectEqual(patches().map(\.awaitedModules), [["LatePlugin"]])
      #expect(patches().flatMap(\.overrides).isEmpty && WaxwingEngine.versions == [:])
      let probe = try load("LatePlugin", path)
      expectEqual(probe(4), "G greets you1".utf8.count * 1000 + 50 + 1)
      expectEqual(patches().map(\.awaitedModules), [[]])
      expectEqual(WaxwingEngine.versions, ["LatePlugin.Greeter": 1, "LatePlugin": 1])
      let restoration = try WaxwingEngine.end(session)
      #expect(restoration.isComplete && restoration.entriesVerified >= 2)
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 1)

      // The second time it is there already.
      try withPatch(patch("LatePlugin")) {
        expectEqual(probe(4), "G greets you1".utf8.count * 1000 + 50 + 1)
      }
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 1)
    }

    @Test func `a library that is named like one of Swift's is patched if it has entries`() throws {
      let path = try library("NamedPlugin", file: "libswiftplugin.so")
      let probe = try load("NamedPlugin", path)
      try withPatch(patch("NamedPlugin")) {
        expectEqual(probe(4), "G greets you1".utf8.count * 1000 + 50 + 1)
      }
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 1)
    }

    @Test func `what the manifest does not list is not overridden later either`() throws {
      let path = try library("ListedPlugin")
      let text = """
        patch { overrides = { "ListedPlugin.Greeter.part()" } }
        when_loaded("ListedPlugin", function()
          local Greeter = class "ListedPlugin.Greeter"
          function Greeter:part() return 7 end
          function Greeter:greet(other) return "" end
        end)
        """
      let session = try WaxwingEngine.start(text: text, name: "listed")
      let probe = try load("ListedPlugin", path)
      let answer = probe(4)
      let line = "overrides ListedPlugin.Greeter.greet(_:), which its `overrides` does not list"
      #expect(lines.all.contains { $0.contains(line) }, "\(lines.all)")
      expectEqual(answer, "G greets you".utf8.count * 1000 + 5 + 1)
      #expect(try WaxwingEngine.end(session).isComplete)
    }

    @Test func `a session that has ended waits no more, and others go on`() throws {
      let path = try library("OtherPlugin")
      let first = try WaxwingEngine.start(text: patch("OtherPlugin"), name: "first")
      let second = try WaxwingEngine.start(
        text: """
          when_loaded("OtherPlugin", function()
            local Greeter = class "OtherPlugin.Greeter"
            function Greeter:part() return 7 end
          end)
          """, name: "second")
      let end = try WaxwingEngine.end(first)
      #expect(end.isComplete)
      let probe = try load("OtherPlugin", path)
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 7)
      try WaxwingEngine.end(second)
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 1)
    }

    @Test func `what fails when the module is there is reported, and leaves nothing`() throws {
      let path = try library("WrongPlugin")
      let session = try WaxwingEngine.start(
        text: """
          when_loaded("WrongPlugin", function()
            local Greeter = class "WrongPlugin.Greeter"
            function Greeter:part() return 7 end
            function Greeter:great() end
          end)
          """, name: "wrong")
      let probe = try load("WrongPlugin", path)
      expectEqual(probe(4), "G greets you".utf8.count * 1000 + 5 + 1)
      #expect(patches().flatMap(\.overrides).isEmpty && WaxwingEngine.versions == [:])
      #expect(
        lines.all.contains {
          $0.contains("callback.failed") && $0.contains("wrong.lua:4") && $0.contains("greet")
        }, "\(lines.all)")
      try WaxwingEngine.end(session)
    }

    @Test func `what is not right is refused at once`() throws {
      #expect(refusal("when_loaded(1)").contains("when_loaded takes a module's name"))
      let text = """
        local A = class "Bank.Account"
        function A:inheritedOnly(n) when_loaded("Nowhere", function() end) return n end
        """
      let account = Account(owner: "Ada")
      try withPatch(text) {
        expectEqual(account.inheritedOnly(1), 2)
        #expect(faults().first?.contains("comes too late") == true)
      }
    }

    @Test func `scripts read class versions`() throws {
      let text = """
        local A = class "Bank.Account"
        assert(version(A) == 0 and version("Bank.Account") == 0 and version(module "Bank") == 0)
        function A:inheritedOnly(n) return version(A) end
        """
      let account = Account(owner: "Ada")
      try withPatch(text) {
        expectEqual(account.inheritedOnly(1), 1)
        let second = try WaxwingEngine.start(
          text: "local A = class 'Bank.Account'\nfunction A:describe() return 'x' end", name: "two")
        expectEqual(account.inheritedOnly(1), 2)
        try WaxwingEngine.end(second)
        expectEqual(account.inheritedOnly(1), 1)
        expectEqual(faults(), [])
      }
      #expect(refusal("version(3)").contains("version takes a class or module"))
      #expect(refusal("version('Bank.Acount')").contains("did you mean"))
    }
  }
}

// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// The library's own tests, in Lua: each file of Specs is a patch that a program runs under the limits of
/// the sandbox.
@Suite struct SpecificationTests {
  private static let folder = "Tests/LibraryTests/Specs"

  private static func vocabulary() throws -> [String: String] {
    [
      "spec.lua": try LibraryFiles.text("\(folder)/spec.lua"),
      "waxwing/test.lua": try LibraryFiles.text("lua/tools/test.lua"),
    ]
  }

  @Test(arguments: try LibraryFiles.names(in: folder, ".lua").filter { $0 != "spec" })
  func `a specification passes`(_ name: String) throws {
    let patch = try SpecPatch(
      main: try LibraryFiles.text("\(Self.folder)/\(name).lua"), modules: try Self.vocabulary())
    let result = try patch.run()
    let failed = result.standardOutput.split(separator: "\n").filter { !$0.hasPrefix("ok ") }
    #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))\n\(result.standardError)")
    #expect(result.isSuccess, "\(result.standardError)")
  }

  @Test func `every module has a specification and a page`() throws {
    let modules = try LibraryFiles.names(in: "lua/library", ".lua")
    #expect(!modules.isEmpty)
    let specs = try LibraryFiles.names(in: Self.folder, ".lua")
    let pages = try LibraryFiles.names(in: "docs/library", ".md")
    for module in modules {
      #expect(specs.contains(module), "\(module) has no specification")
      #expect(pages.contains(module), "\(module) has no page")
    }
  }

  @Test func `every module loads in a script of the tool's own`() throws {
    let names = try LibraryFiles.names(in: "lua/library", ".lua")
    let script = names.map { "assert(require \"\($0)\" == require \"waxwing.\($0)\")" }
    let result = try Command(
      try BuiltProduct("waxwing").path, ["run", "-e", script.joined(separator: "\n")]
    ).run()
    #expect(result.isSuccess && result.standardError.isEmpty, "\(result)")
  }

  @Test func `a test that fails is reported`() throws {
    let patch = try SpecPatch(
      main: """
        local spec = require "spec"
        spec.it("fails", function() spec.equal(1, 2) end)
        """,
      modules: try Self.vocabulary())
    let result = try patch.run()
    #expect(!result.isSuccess)
    #expect(
      result.standardOutput.contains("main.lua:2: expected 2, found 1"), "\(result)")
  }

  @Test func `a module that there is not is refused with what there is`() throws {
    let result = try SpecPatch(main: #"require "inspekt""#).run("--load")
    #expect(!result.isSuccess)
    #expect(result.standardOutput.contains("the patch has no module `inspekt`"), "\(result)")
    #expect(result.standardOutput.contains("the library has"), "\(result)")
  }

  @Test func `a patch's own module comes before the library's, which has a longer name`() throws {
    let patch = try SpecPatch(
      main: """
        local own, library = require "inspect", require "waxwing.inspect"
        assert(own == "own" and library({}) == "{}")
        """,
      modules: ["inspect.lua": #"return "own""#])
    let result = try patch.run("--load")
    #expect(result.isSuccess, "\(result)")
  }
}

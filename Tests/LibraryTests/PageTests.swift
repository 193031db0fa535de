// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

/// What the library's pages show has to work.
@Suite struct PageTests {
  @Test(arguments: try LibraryFiles.names(in: "docs/library", ".md"))
  func `each example of a page is a patch that loads`(_ page: String) throws {
    for block in try Self.blocks(page, "lua") {
      let result = try SpecPatch(main: block).run("--load")
      #expect(result.isSuccess, "\(block)\n\(result)")
    }
  }

  @Test(arguments: try LibraryFiles.names(in: "docs/library", ".md"))
  func `what a page runs with the tool runs`(_ page: String) throws {
    for block in try Self.blocks(page, "lua run") {
      let directory = try TemporaryDirectory()
      let script = try directory.write(block, to: "script.lua")
      let result = try Command(try BuiltProduct("waxwing").path, ["run", script]).run()
      #expect(result.isSuccess && result.standardError.isEmpty, "\(block)\n\(result)")
    }
  }

  private static func blocks(_ page: String, _ mark: String) throws -> [String] {
    try LibraryFiles.text("docs/library/\(page).md").components(separatedBy: "```\(mark)\n")
      .dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }
}

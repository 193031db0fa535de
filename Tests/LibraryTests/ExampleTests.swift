// SPDX-License-Identifier: MIT

import Testing
import WaxwingTestSupport

/// The patches in examples/library, each of which shows a module of the library at work.
@Suite struct ExampleTests {
  @Test(arguments: try LibraryFiles.names(in: "examples/library", ".lua"))
  func `an example is applied and restored`(_ name: String) throws {
    let patch = try SpecPatch(main: try LibraryFiles.text("examples/library/\(name).lua"))
    let result = try patch.run("--load")
    #expect(result.isSuccess, "\(result)")
  }
}

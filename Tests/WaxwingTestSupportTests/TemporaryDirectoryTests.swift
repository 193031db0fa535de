// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

@Suite struct TemporaryDirectoryTests {
  @Test func `it is private, takes files, and goes with its value`() throws {
    let path = try useDirectory()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private func useDirectory() throws -> String {
    let directory = try TemporaryDirectory()
    let file = try directory.write("text", to: "name")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    return directory.path
  }
}

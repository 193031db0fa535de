// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingTestSupport

@testable import WaxwingFleet

/// A folder whose path does not begin at the root.
@Suite struct RelativeFolderTests {
  @Test func `documents are written below it, and nowhere else`() throws {
    let folder = try TemporaryFolder()
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let path = String(repeating: "../", count: depth) + folder.path.dropFirst()
    let backend = try FolderBackend(path: path)
    try backend.put("/waxwing/v1/test/current/halt", [1], lease: nil)
    #expect(try backend.get("/waxwing/v1/test/current/halt")?.value == [1])
    #expect(
      FileManager.default.fileExists(atPath: folder.path + "/waxwing/v1/test/current/halt"))
  }
}

// SPDX-License-Identifier: MIT

import InterceptionFixture
import Testing
import WaxwingDeclarations
import WaxwingReflection

@testable import WaxwingBridge

@Suite struct InPlaceWritesTests {
  let program: RunningProgram

  init() throws {
    Tray().raise()
    program = try RunningProgram()
  }

  private func passes(_ name: String) throws -> Bool {
    let setter = try #require(
      program.patchPoints.first {
        $0.declaration.kind == .setter
          && $0.declaration.qualifiedName.hasPrefix("InterceptionFixture.Tray.\(name)")
      })
    return InPlaceWrites.note(of: setter, in: program) == InPlaceWrites.note
  }

  @Test func `writes in place pass the setter of a wrapped property by`() throws {
    #expect(try passes("count"))
  }

  @Test func `they go through the setter of a computed property`() throws {
    #expect(try !passes("half"))
  }
}

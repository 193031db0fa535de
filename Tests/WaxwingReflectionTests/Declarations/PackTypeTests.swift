// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Types with parameter packs: the runtime ends the process where it expects a pack and finds none.
@Suite struct PackTypeTests {
  /// Of a symbol that names the pack's parameter.
  private static let open = [
    "22WaxwingReflectionTests11OpenColumnsVyxxQp_QPG", "xxQp_t", "yxxQpc",
    "Say22WaxwingReflectionTests11OpenColumnsVyxxQp_QPGG",
    "22WaxwingReflectionTests11OpenColumnsV4CellVyxxQp_QP_G",
  ]

  @Test(arguments: open)
  func `a type with an open pack is none of this process`(mangled: String) throws {
    let node = try #require(TypeNode(mangled: mangled), "it cannot be parsed")
    #expect(node.hasPackExpansion)
    #expect(try RunningProgram().runtimeType(node) == nil)
  }

  @Test func `a type whose pack is known is found`() throws {
    let node = try #require(TypeNode(mangled: "22WaxwingReflectionTests11OpenColumnsVySi_SSQPG"))
    #expect(!node.hasPackExpansion)
    #expect(try RunningProgram().runtimeType(node) == OpenColumns<Int, String>.self)
  }
}

struct OpenColumns<each Column> {
  struct Cell {}
  let count: Int
}

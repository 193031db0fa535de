// SPDX-License-Identifier: MIT

import Testing
import WaxwingLua

@testable import WaxwingScripting

/// The table of Swift functions and the Lua code that calls them agree.
@Suite struct PreludeTableTests {
  private static let names = PreludeBindings.hostFunctions.map(\.name.description)
  /// Made by C, or values.
  private static let others: Set = ["null", "raise", "await_key"]

  private static let sources = [
    LuaSources.prelude, LuaSources.advice, LuaSources.async, LuaSources.classes, LuaSources.conform,
    LuaSources.coroutines, LuaSources.selection, LuaSources.shell, LuaSources.captured,
    LuaSources.listing,
  ].map { String(decoding: $0, as: UTF8.self) }

  /// The names of the fields of `waxwing.Host` in lua/waxwing/prelude.lua.
  private static var declared: [String] {
    sources[0].split(separator: "\n").drop { $0 != "---@class waxwing.Host" }
      .prefix { !$0.hasPrefix("---@type") }
      .filter { $0.hasPrefix("---@field ") }
      .map { String($0.split(separator: " ")[1]) }
  }

  /// What Lua code looks up in `host`.
  private static var used: Set<String> {
    var used: Set<String> = []
    for source in sources {
      for match in source.matches(of: /\bhost\.([A-Za-z_]+)/) { used.insert(String(match.1)) }
    }
    return used.subtracting(others)
  }

  @Test func `each name is there once`() {
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Set(Self.declared).count == Self.declared.count)
  }

  @Test func `the prelude declares the type of each function, and of nothing else`() {
    #expect(Set(Self.declared).subtracting(Self.others).sorted() == Self.names.sorted())
  }

  @Test func `each function is called by Lua code`() {
    #expect(Self.used.sorted() == Self.names.sorted())
  }

  @Test func `what takes long is not free`() {
    let costs = Dictionary(
      uniqueKeysWithValues: PreludeBindings.hostFunctions.map { ($0.name.description, $0.cost) })
    for name in ["near", "globals", "typeof", "typeNamed", "moduleNamed", "objects"] {
      #expect(costs[name, default: 0] >= 10_000, "\(name)")
    }
    #expect(costs["class"] == 0)
  }

  @Test func `one function alone calls the original of the running override`() {
    #expect(
      PreludeBindings.hostFunctions.filter(\.isOriginal).map(\.name.description) == ["running"])
  }
}

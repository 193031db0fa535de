// SPDX-License-Identifier: MIT

import CLua
import Foundation
import WaxwingLuaSources

/// A plain Lua state, with all of Lua's own libraries, in which the tests in `Lua/` run.
final class LuaTests {
  struct Failure: Error {
    let message: String
  }

  // Used by one test, on one thread, and closed with it.
  private let state: OpaquePointer
  private let prelude: [UInt8]

  init(prelude: [UInt8]) throws {
    guard let state = luaL_newstate() else { throw Failure(message: "no memory") }
    self.state = state
    self.prelude = prelude
    luaL_openlibs(state)
    try load(prelude, name: "@prelude.lua")
    lua_setglobal(state, "prelude")
    try load(LuaSources.shell, name: "@shell.lua")
    lua_setglobal(state, "shell")
    try load(Self.file("TestHost"), name: "@TestHost.lua")
    try call(results: 1)
    lua_setglobal(state, "TestHost")
    try load(Self.file("PreludeTests"), name: "@PreludeTests.lua")
    try call(results: 1)
    lua_setglobal(state, "PreludeTests")
  }

  deinit { lua_close(state) }

  /// The names of all tests, in order.
  static func names() throws -> [String] {
    let tests = try LuaTests(prelude: [])
    return try tests.text(of: "return PreludeTests.names()")
      .split(separator: "\n").map(String.init)
  }

  /// - Returns: What went wrong; nil if nothing did.
  func run(_ name: String) throws -> String? {
    let failure = try text(of: "return PreludeTests.run([==[\(name)]==])")
    return failure.isEmpty ? nil : failure
  }

  /// The lines of the prelude's functions at which no test has been. Those that only close what was
  /// opened before do not count.
  func linesNotRun() throws -> [String] {
    let lines = String(decoding: prelude, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return try text(of: "return PreludeTests.linesNotRun()").split(separator: " ")
      .compactMap { Int($0) }.map { "\($0): \(lines[$0 - 1])" }
      .filter { !$0.hasSuffix(" })") }
  }

  private func text(of code: String) throws -> String {
    try load(Array(code.utf8), name: "=test")
    try call(results: 1)
    defer { lua_settop(state, 0) }
    return top
  }

  private func load(_ bytes: [UInt8], name: String) throws {
    let status = bytes.withUnsafeBytes { bytes in
      luaL_loadbufferx(
        state, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name, "t")
    }
    guard status == LUA_OK else { throw Failure(message: top) }
  }

  private func call(results: Int32) throws {
    guard lua_pcallk(state, 0, results, 0, 0, nil) == LUA_OK else { throw Failure(message: top) }
  }

  /// The string on top of the stack.
  private var top: String {
    lua_tolstring(state, -1, nil).map { String(cString: $0) } ?? ""
  }

  private static func file(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appendingPathComponent("Lua/\(name).lua")))
  }
}

// SPDX-License-Identifier: MIT

import CLua
import Foundation
import WaxwingLua

/// A plain Lua state, with all of Lua's own libraries, in which the tests of one of the files in `Lua/`
/// run.
final class LuaTests {
  struct Failure: Error {
    let message: String
  }

  /// The engine's Lua code, which tests find as global functions.
  static let sources = [
    ("prelude", LuaSources.prelude), ("coroutines", LuaSources.coroutines),
    ("async", LuaSources.async), ("classes", LuaSources.classes),
    ("conform", LuaSources.conform), ("patching", LuaSources.patching),
    ("shell", LuaSources.shell), ("captured", LuaSources.captured), ("listing", LuaSources.listing),
  ]

  // Used by one test, on one thread, and closed with it.
  private let state: OpaquePointer

  /// - Parameter suite: The name of a file in `Lua/`.
  init(suite: String) throws {
    guard let state = luaL_newstate() else { throw Failure(message: "no memory") }
    self.state = state
    luaL_openlibs(state)
    for (name, bytes) in Self.sources {
      try load(bytes, name: "@\(name).lua")
      lua_setglobal(state, name)
    }
    for name in ["TestRunner", "TestHost", "AsyncHost"] {
      try run(file: name)
      lua_setglobal(state, name)
    }
    try run(file: suite)
    lua_setglobal(state, "tests")
  }

  deinit { lua_close(state) }

  /// The names of all tests, in order.
  static func names(in suite: String) throws -> [String] {
    try LuaTests(suite: suite).text(of: "return tests:names()")
      .split(separator: "\n").map(String.init)
  }

  /// - Returns: What went wrong; nil if nothing did.
  func run(_ name: String) throws -> String? {
    let failure = try text(of: "return tests:run([==[\(name)]==])")
    return failure.isEmpty ? nil : failure
  }

  /// The lines of the engine's files at which no test of a suite has been.
  static func linesNotRun(by suite: String, in files: Set<String>) throws -> [String] {
    let tests = try LuaTests(suite: suite)
    for name in try names(in: suite) {
      _ = try tests.text(of: "return tests:run([==[\(name)]==], true)")
    }
    return try sources.filter { files.contains($0.0) }.flatMap { name, bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return try tests.text(of: "return tests:linesNotRun('\(name).lua', [==[\n\(text)]==])")
        .split(separator: "\n").map(String.init)
    }
  }

  private func text(of code: String) throws -> String {
    try load(Array(code.utf8), name: "=test")
    try call(results: 1)
    defer { lua_settop(state, 0) }
    return top
  }

  private func run(file name: String) throws {
    try load(Self.file(name), name: "@\(name).lua")
    try call(results: 1)
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

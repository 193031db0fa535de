// SPDX-License-Identifier: MIT

import CWaxwingLua
import WaxwingLua

/// A Lua state whose proxies are of `Tracked` objects. A proxy's members are functions: `self`
/// gives the proxy back, any other its own name.
final class TestState: @unchecked Sendable {
  private(set) var lua: LuaState!
  /// How often a member was asked for that Lua did not know yet.
  private(set) var memberLookUps = 0

  /// Stands for the type of boxed values. An address and nothing more: nobody reads there.
  nonisolated(unsafe) static let boxType: UnsafeRawPointer = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

  init(memoryLimit: Int? = nil, libraries: wax_library_libraries = WAX_LIBRARY_LIBRARIES_SAFE)
    throws
  {
    lua = try LuaState(
      memoryLimit: memoryLimit, libraries: libraries,
      hooks: wax_proxy_hooks(
        release: { kind, pointer, _ in TestState.release(kind, pointer) },
        make_metatable: { context, L, type, kind in
          Unmanaged<TestState>.fromOpaque(context!).takeUnretainedValue()
            .defineMetatable(L!, type, kind)
        },
        context: Unmanaged.passUnretained(self).toOpaque(), make_type_object: nil,
        current_thread: { 1 }))
  }

  private static func release(_ kind: UInt32, _ pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    switch wax_proxy_kind(rawValue: kind) {
    case WAX_PROXY_KIND_OBJECT: Unmanaged<Tracked>.fromOpaque(pointer).release()
    case WAX_PROXY_KIND_VALUE:
      let box = pointer.assumingMemoryBound(to: Tracked.self)
      box.deinitialize(count: 1)
      box.deallocate()
    case WAX_PROXY_KIND_ERROR:
      withUnsafePointer(to: pointer) {
        _ = UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0))
          .assumingMemoryBound(to: (any Error).self).move()
      }
    default: break
    }
  }

  private func defineMetatable(
    _ L: OpaquePointer, _ type: UnsafeRawPointer?, _ kind: UInt32
  ) -> Bool {
    let back = lua.register { call in
      var reader = call.arguments
      call.writer.object(reader.read().pointer)
    }
    let get = lua.register { [unowned self] call in
      memberLookUps += 1
      var reader = call.arguments
      _ = reader.read()
      let name = reader.string(reader.read()) ?? "?"
      call.raw.pointee.keeps_result = true
      if name == "self" { return call.writer.function(back) }
      call.writer.function(lua.register { call in call.writer.string(name) })
    }
    let set = lua.register { (_) throws(LuaRaise) in throw .message("read only") }
    let describe = lua.register { call in call.writer.string("tracked") }
    return "Tracked".withCString { name in
      var metatable = wax_proxy_metatable()
      metatable.name = name
      metatable.get = get
      metatable.set = set
      metatable.describe = describe
      return wax_proxy_define_metatable(L, type, kind, &metatable)
    }
  }
}

extension TestState {
  /// Compiles and calls a chunk.
  /// - Returns: What it returned.
  @discardableResult
  func run(
    _ source: String, name: String = "@test.lua", _ arguments: (LuaWriter) -> Void = { _ in }
  ) throws(LuaFailure) -> [Value] {
    try call(try load(Array(source.utf8), name: name), arguments)
  }

  func load(_ source: [UInt8], name: String = "@test.lua") throws(LuaFailure) -> Int32 {
    try withCoroutine { coroutine throws(LuaFailure) in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
      defer { bytes.deallocate() }
      bytes.copyBytes(from: source)
      return try coroutine.load(UnsafeRawBufferPointer(bytes), chunkName: name, environment: nil)
    }
  }

  /// Calls what a reference stands for.
  func call(
    _ function: Int32, _ arguments: (LuaWriter) -> Void = { _ in }
  ) throws(LuaFailure) -> [Value] {
    try withCoroutine { coroutine throws(LuaFailure) in
      arguments(coroutine.writer)
      let count = try coroutine.call(function)
      var reader = coroutine.reader
      return (0..<count).map { _ in Value(&reader) }
    }
  }

  /// Gives scripts a Swift function.
  func define(
    _ name: String, _ function: @escaping (inout LuaCall) throws(LuaRaise) -> Void
  ) throws(LuaFailure) {
    let callback = lua.register(function)
    try run("\(name) = ...") { $0.function(callback) }
  }

  private func withCoroutine<Result>(
    _ body: (LuaCoroutine) throws(LuaFailure) -> Result
  ) throws(LuaFailure) -> Result {
    try lua.entered { () throws(LuaFailure) in
      guard let coroutine = LuaCoroutine(lua) else {
        throw LuaFailure(
          kind: .noMemory, message: "no coroutine", rawMessage: "", frames: [], swiftError: nil)
      }
      defer { coroutine.release() }
      return try body(coroutine)
    }
  }
}

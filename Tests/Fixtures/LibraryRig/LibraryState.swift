// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// A Lua state that runs `Cases.lua`.
final class LibraryState {
  private let state: LuaState
  private var cases: Int32 = 0

  init(_ libraries: wax_library_libraries) throws {
    state = try LuaState(
      memoryLimit: nil, libraries: libraries,
      hooks: wax_proxy_hooks(
        release: { _, _, _ in }, make_metatable: { _, _, _, _ in false }, context: nil,
        make_type_object: nil, current_thread: { 1 }))
    cases = try withCoroutine { lane throws(LuaFailure) in
      try lane.load(
        UnsafeRawBufferPointer(Self.source), chunkName: "@Cases.lua", environment: nil)
    }
  }

  deinit { state.close() }

  /// What each of the calls was and came to.
  func outcomes(_ seed: Int, _ calls: Int) throws -> [String] {
    try withCoroutine { lane throws(LuaFailure) in
      lane.writer.integer(seed)
      lane.writer.integer(calls)
      _ = try lane.call(cases)
      var reader = lane.reader
      let list = reader.read()
      return (0..<Int(list.count)).map { _ in reader.displayString(reader.read()) ?? "?" }
    }
  }

  /// Never freed: the process has one.
  private nonisolated(unsafe) static let source: UnsafeBufferPointer<UInt8> = {
    let bytes = PackageResources.Cases_lua
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return UnsafeBufferPointer(copy)
  }()

  private func withCoroutine<Result>(
    _ body: (LuaCoroutine) throws(LuaFailure) -> Result
  ) throws(LuaFailure) -> Result {
    try state.entered { () throws(LuaFailure) in
      guard let lane = LuaCoroutine(state) else {
        throw LuaFailure(
          kind: .noMemory, message: "no lane", rawMessage: "", frames: [], swiftError: nil)
      }
      defer { lane.release() }
      return try body(lane)
    }
  }
}

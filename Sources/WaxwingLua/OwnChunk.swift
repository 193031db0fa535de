// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import Synchronization

/// A chunk of the engine's own, which is compiled once and loaded into many states.
package final class OwnChunk: Sendable {
  private let source: [UInt8]
  private let lock = Mutex(())
  /// Unchecked: only with the lock.
  nonisolated(unsafe) private let compiled: UnsafeMutablePointer<wax_lua_compiled>

  package init(_ source: [UInt8]) {
    self.source = source
    compiled = .allocate(capacity: 1)
    compiled.initialize(to: wax_lua_compiled())
  }

  deinit {
    free(compiled.pointee.bytes)
    compiled.deallocate()
  }

  /// - Parameters:
  ///   - coroutine: Of a state that is entered.
  ///   - name: What positions in it begin with, as Lua wants it.
  /// - Returns: A reference to the function it makes.
  package func load(into coroutine: LuaCoroutine, name: String) throws(LuaFailure) -> Int32 {
    var reference: Int32 = 0
    let status = source.withUnsafeBytes { bytes in
      lock.withLock { _ in
        wax_lua_load_chunk(
          coroutine.raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name,
          compiled, &reference)
      }
    }
    if status != WAX_LUA_STATUS_OK { throw coroutine.failure(status) }
    return reference
  }
}

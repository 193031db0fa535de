// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// An error that a Swift function raises in the Lua code that called it.
public enum LuaRaise: Error {
  /// A message; the position of the calling Lua code is put before it.
  case message(String)
  /// A Swift error: Lua sees a proxy of it, and it stays the same error if it goes back to Swift.
  case error(any Error)

  func write(_ writer: LuaWriter) {
    switch self {
    case .message(let text): writer.string(text)
    case .error(let error): writer.error(error)
    }
  }
}

extension LuaWriter {
  /// A proxy of an error.
  package func error(_ error: any Error) {
    // An `any Error` is one word, a strong reference to its box; the proxy takes that over.
    let box = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { storage in
      storage.initializeMemory(as: (any Error).self, repeating: error)
      return storage.load(as: UnsafeMutableRawPointer.self)
    }
    proxy(WAX_PROXY_KIND_ERROR, box, type: nil)
  }
}

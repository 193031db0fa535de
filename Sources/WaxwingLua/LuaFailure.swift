// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// One level of a Lua traceback.
package struct LuaFrame: Sendable, Hashable {
  /// The chunk, `overdraft.lua`, or `[C]` for functions that are not Lua.
  package let source: String
  /// Line in it; nil for functions that are not Lua.
  package var line: Int? { lineNumber >= 0 ? Int(lineNumber) : nil }
  /// The caller's name of the function; nil if it has none.
  package let name: String?
  private let lineNumber: Int32
  /// Whether this is the chunk itself rather than a function in it.
  package let isMainChunk: Bool

  init(_ frame: wax_lua_traceback_frame) {
    source = Self.text(frame.source)
    lineNumber = max(frame.line, -1)
    let name = Self.text(frame.name)
    self.name = name.isEmpty ? nil : name
    isMainChunk = frame.what == CChar(UInt8(ascii: "m"))
  }

  /// A frame without a place.
  package static var unknown: LuaFrame { LuaFrame(wax_lua_traceback_frame()) }

  private static func text<Tuple>(_ tuple: Tuple) -> String {
    withUnsafeBytes(of: tuple) { bytes in
      let count = bytes.firstIndex(of: 0) ?? bytes.count
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
    }
  }
}

extension LuaFrame: CustomStringConvertible {
  package var description: String {
    let place = line.map { "\(source):\($0)" } ?? source
    if isMainChunk { return "\(place): in main chunk" }
    return "\(place): in function \(name.map { "'\($0)'" } ?? "<anonymous>")"
  }
}

/// A Lua error as it left the Lua code.
package struct LuaFailure: Error, Sendable {
  package enum Kind: Sendable {
    /// A fault: a runtime or syntax error.
    case fault
    /// Raised by the script's own `error` or `throw`.
    case explicit
    /// The state's memory limit, or the process's.
    case noMemory
    /// A limit of the call was reached.
    case limit
  }

  package let kind: Kind
  private let ownMessage: String
  private let ownRawMessage: String
  /// The Lua stack where the code failed, innermost frame first.
  package let frames: [LuaFrame]
  /// The Swift error that the Lua error carries, if it is one.
  package let swiftError: (any Error)?
  /// Whether that error is all that there is to say. It may just pass through a patch.
  private let isToldBySwift: Bool

  /// The message, with position; for a value that is not a string, what can be said of it.
  package var message: String { told ?? ownMessage }

  /// The value, without position, with which the script called `error`.
  package var rawMessage: String { told ?? ownRawMessage }

  private var told: String? {
    isToldBySwift ? swiftError.map { "Swift error: \(SwiftErrorText.text(of: $0))" } : nil
  }

  package init(
    kind: Kind, message: String, rawMessage: String, frames: [LuaFrame],
    swiftError: (any Error)?, isToldBySwift: Bool = false
  ) {
    self.kind = kind
    ownMessage = message
    ownRawMessage = rawMessage
    self.isToldBySwift = isToldBySwift
    self.frames = frames
    self.swiftError = swiftError
  }

  /// The failure if there is no memory for a call, before any Lua code runs.
  package static let noMemory = LuaFailure(
    kind: .noMemory,
    message: "not enough memory: the patch, or all patches together, have reached the limit "
      + "(`limits.memory`)",
    rawMessage: "", frames: [], swiftError: nil)

  /// The innermost Lua position: where to look first.
  package var position: LuaFrame? { frames.first { $0.line != nil } }
}

extension LuaFailure: CustomStringConvertible {
  package var description: String {
    ([message] + frames.map { "  \($0)" }).joined(separator: "\n")
  }
}

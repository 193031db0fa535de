// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingLua

/// An error that a patch's Lua code raised in an override of a throwing function.
public struct LuaError: Error, Sendable, CustomStringConvertible {
  /// The value, without position, with which the script called `error` or `throw`.
  public let message: String
  /// The patch's file name; empty if the error was not raised in Lua code.
  public let file: String
  /// The line in it, from 1; 0 if the error was not raised in Lua code.
  public let line: Int
  /// The Lua functions that were running, innermost first.
  public let traceback: [String]

  init(_ raised: RaisedError) {
    message = raised.message
    file = raised.position?.source ?? ""
    line = raised.position?.line ?? 0
    traceback = raised.frames.map(\.description)
  }

  /// The message with its position. One that begins with a position, as an error that was caught and raised
  /// again does, has it already.
  public var description: String {
    guard !file.isEmpty, message.prefixMatch(of: #/[^\s:]+:\d+: /#) == nil else { return message }
    return "\(file):\(line): \(message)"
  }
}

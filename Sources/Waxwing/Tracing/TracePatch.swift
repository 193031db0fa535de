// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingLua
import WaxwingPatches

/// The patch that watches calls: an override of each function that calls the original, and notes it.
struct TracePatch {
  let name: String
  let request: TraceRequest
  let points: [PointEntry]

  /// Calls that are kept until they are asked for.
  private static let capacity = 500

  /// The files of the patch.
  func source() throws(PatchError) -> PatchSource {
    try PatchSource(files: [
      PatchFile(name: "\(name)/main.lua", bytes: Array(text.utf8)),
      PatchFile(name: "\(name)/recorder.lua", bytes: LuaSources.trace),
      PatchFile(name: "\(name)/describe.lua", bytes: LuaSources.describe),
    ])
  }

  private var text: String {
    """
    patch { name = \(LuaName.quoted(name)), version = 1, partial = true }
    local trace = require "recorder" {
    \(options.joined(separator: "\n"))
    }
    \(points.enumerated().map { override($1, number: $0 + 1) }.joined(separator: "\n"))
    """
  }

  private var options: [String] {
    var options = [
      "counts = \(request.counts),", "capacity = \(Self.capacity),",
      "sample = \(max(1, request.sample)),",
    ]
    if let callers = request.callers { options.append("callers = \(min(max(callers, 1), 128)),") }
    if let most = request.most { options.append("most = \(most),") }
    if request.showsFields == true { options.append("shows_fields = true,") }
    if let depth = request.depth { options.append("depth = \(depth),") }
    if let condition = request.condition { options.append(Self.function("where", condition)) }
    if let shown = request.shown { options.append(Self.function("show", shown)) }
    return options
  }

  /// A Lua function that evaluates an expression. The expression is on lines of its own, so that a
  /// comment at its end does not hide the code after it.
  static func function(_ name: String, _ expression: String) -> String {
    "\(name) = function(self, args, result, error, cost) return (\n\(expression)\n) end,"
  }

  private func override(_ point: PointEntry, number: Int) -> String {
    if request.counts, let name = Self.plainOriginal(point) {
      // Nothing but a call of the original, which C makes, and nothing is thrown.
      let values = point.parameters.indices.map { "a\($0)" }
      let taken = (["self"] + values).joined(separator: ", ")
      return "do local owner = \(point.luaOwner) \(point.luaMember(of: "owner")) = "
        + "function(\(taken)) return self:\(name)(\(values.joined(separator: ", "))) end end"
    }
    return "do local owner = \(point.luaOwner) \(point.luaMember(of: "owner")) = "
      + "trace(\(number), \(point.takesSelf), \(point.isAsync), \(point.maskedArguments), "
      + "\(point.isMasked)) end"
  }

  /// The name of a method's original, if that is a name and the method throws nothing.
  private static func plainOriginal(_ point: PointEntry) -> String? {
    guard point.isMember, !point.isStatic, !point.isAsync, point.kind == .function,
      !point.isInitializer, LuaName.isValid(point.member),
      point.isThrowing != true
    else { return nil }
    return "ORIG" + point.member
  }
}

// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingLua
import WaxwingPatches

/// The patch that keeps calls: an override of each function that calls the original, and notes it.
struct RecordPatch {
  let name: String
  let request: RecordRequest
  let points: [PointEntry]

  /// Calls that are kept at most.
  private static let mostCapacity = 10_000

  /// The files of the patch.
  func source() throws(PatchError) -> PatchSource {
    try PatchSource(files: [
      PatchFile(name: "\(name)/main.lua", bytes: Array(text.utf8)),
      PatchFile(name: "\(name)/recorder.lua", bytes: LuaSources.record),
      PatchFile(name: "\(name)/describe.lua", bytes: LuaSources.describe),
    ])
  }

  private var text: String {
    """
    patch { name = \(LuaName.quoted(name)), version = 1, partial = true }
    local record = require "recorder" {
    \(options.joined(separator: "\n"))
    }
    \(points.enumerated().map { Self.override($1, index: $0 + 1) }.joined(separator: "\n"))
    """
  }

  private var options: [String] {
    var options = [
      "is_weak = \(request.isWeak),",
      "capacity = \(min(max(request.capacity, 1), Self.mostCapacity)),",
    ]
    if let most = request.most { options.append("most = \(most),") }
    if request.showsFields == true { options.append("shows_fields = true,") }
    if let condition = request.condition {
      options.append(TracePatch.function("where", condition))
    }
    return options
  }

  /// Why a call cannot be made again.
  private static func obstacle(_ point: PointEntry) -> String? {
    if point.isInitializer {
      return "an initializer cannot be run again: the object that it made is there"
    }
    return point.kind == .closure
      ? "a closure cannot be run again: nothing has what it captured" : nil
  }

  private static func override(_ point: PointEntry, index: Int) -> String {
    let member = point.luaMember(of: "owner")
    let obstacle = obstacle(point).map(LuaName.quoted) ?? "nil"
    // A static function is called without its type.
    let call =
      point.isStatic && point.kind == .function
      ? "local f = \(member) return function(_, ...) return f(...) end" : "return \(member)"
    return "do local owner = \(point.luaOwner) \(member) = record { index = \(index), "
      + "masked = \(point.maskedArguments), masks_result = \(point.isMasked), "
      + "has_self = \(point.takesSelf), is_async = \(point.isAsync), obstacle = \(obstacle), "
      + "call = function() \(call) end } end"
  }
}

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
    patch { name = \(LuaName.quoted(name)), version = 1 }
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

  private static func override(_ point: PointEntry, index: Int) -> String {
    let member = point.luaMember(of: "owner")
    let obstacle =
      point.isInitializer
      ? "\"an initializer cannot be run again: the object that it made is there\"" : "nil"
    // A static function is called without its type.
    let call =
      point.isStatic && point.kind == .function
      ? "local f = \(member) return function(_, ...) return f(...) end" : "return \(member)"
    return "do local owner = \(point.luaOwner) \(member) = record { index = \(index), "
      + "masked = \(point.maskedArguments), masks_result = \(point.isMasked), "
      + "has_self = \(point.isMember), is_async = \(point.isAsync), obstacle = \(obstacle), "
      + "call = function() \(call) end } end"
  }
}

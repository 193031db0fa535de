// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingLua
import WaxwingPatches

/// The patch that notes the objects of a class: an override of each of its initializers.
struct InstancesPatch {
  let name: String
  let condition: String?
  let initializers: [PointEntry]

  /// Objects that are noted at the same time.
  private static let capacity = 10_000

  /// The limits of a list: all objects are described in one call.
  private static let limits = "limits = { instructions = 100000000, milliseconds = 2000 }"

  /// The files of the patch.
  func source() throws(PatchError) -> PatchSource {
    try PatchSource(files: [
      PatchFile(name: "\(name)/main.lua", bytes: Array(text.utf8)),
      PatchFile(name: "\(name)/recorder.lua", bytes: LuaSources.instances),
      PatchFile(name: "\(name)/describe.lua", bytes: LuaSources.describe),
    ])
  }

  private var text: String {
    """
    patch { name = \(LuaName.quoted(name)), version = 1, \(Self.limits) }
    local noted = require "recorder" {
    capacity = \(Self.capacity),
    \(condition.map { "where = function(self) return (\n\($0)\n) end," } ?? "")
    }
    \(initializers.map(Self.override).joined(separator: "\n"))
    """
  }

  private static func override(_ point: PointEntry) -> String {
    "do local owner = \(point.luaOwner) \(point.luaMember(of: "owner")) = noted end"
  }
}

// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingScripting

extension DebugFrame {
  /// Reads a frame that lua/tools/debug.lua has found.
  init(_ table: ScriptTable) throws(ScriptTableError) {
    self.init(
      level: try table.integer("level"), file: try table.text("file"),
      line: try table.integer("line"), name: try table.text("name"))
  }
}

extension DebugVariable {
  /// Reads a variable that lua/tools/debug.lua has found.
  init(_ table: ScriptTable) throws(ScriptTableError) {
    self.init(
      name: try table.text("name"), value: try table.text("text"), type: try table.text("type"),
      handle: try table.integer("handle"), expression: try table.text("expression"),
      isReadLater: try table.boolean("is_later") ? true : nil)
  }
}

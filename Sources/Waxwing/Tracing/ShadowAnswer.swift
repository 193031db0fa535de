// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingScripting

extension ShadowBatch {
  /// Reads what lua/waxwing/selection.lua has compared since the last time.
  init(_ table: ScriptTable) throws {
    self.init()
    functions = try table.tables("functions", ShadowCount.init)
    calls = try table.tables("calls", ShadowCall.init)
    dropped = try table.integer("dropped")
  }
}

extension ShadowCount {
  fileprivate init(_ table: ScriptTable) throws(ScriptTableError) {
    self.init(
      function: try table.text("title"), same: try table.integer("same"),
      different: try table.integer("different"), uncompared: try table.integer("uncompared"),
      failed: try table.integer("failed"), originalSeconds: try table.seconds("original"),
      patchSeconds: try table.seconds("patch"))
  }
}

extension ShadowCall {
  fileprivate init(_ table: ScriptTable) throws(ScriptTableError) {
    let reason = try table.optionalText("reason")
    self.init(
      function: try table.text("title"), ended: try table.moment("ended"),
      receiver: try table.text("receiver"), arguments: try table.text("arguments"),
      original: Outcome(
        succeeded: try table.boolean("succeeded"), text: try table.text("outcome")),
      patch: reason == nil
        ? Outcome(
          succeeded: try table.boolean("patch_succeeded"), text: try table.text("patch_outcome"))
        : nil, reason: reason, originalCost: try table.seconds("cost"),
      patchCost: try table.seconds("patch_cost"))
  }
}

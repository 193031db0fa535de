// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingScripting

extension RecordedCalls {
  /// Reads what lua/tools/record.lua has kept.
  /// - Parameter selectors: Of the functions, in the order by which calls name them, from 1.
  init(_ table: ScriptTable, _ name: String, _ selectors: [String]) throws {
    self.init(
      name: name, calls: try table.tables("calls") { try RecordedCall($0, selectors) },
      forgotten: try table.integer("forgotten"))
  }
}

extension RecordedCall {
  fileprivate init(_ table: ScriptTable, _ selectors: [String]) throws(ScriptTableError) {
    let point = try table.integer("point")
    guard selectors.indices.contains(point - 1) else {
      throw ScriptTableError("is \(point), of \(selectors.count) functions").inside("point")
    }
    self.init(
      number: try table.integer("number"), selector: selectors[point - 1],
      thread: try table.integer("thread"), began: try table.moment("began"),
      receiver: try table.text("receiver"), arguments: try table.text("arguments"),
      outcome: try RecordedOutcome(table))
  }
}

extension RecordedOutcome {
  /// Reads the outcome of a call.
  init(_ table: ScriptTable) throws(ScriptTableError) {
    self.init(
      succeeded: try table.boolean("succeeded"), text: try table.text("outcome"),
      cost: try table.seconds("cost"))
  }
}

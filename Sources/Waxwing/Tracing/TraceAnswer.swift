// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingScripting

/// The calls that lua/tools/trace.lua has seen since the last request.
struct TraceAnswer {
  let calls: [TracedCall]
  /// How many calls of each function have failed, by its number: where calls are counted.
  let errors: [Int: Int]
  /// Calls that there was no room for.
  let dropped: Int

  init(_ table: ScriptTable) throws {
    calls = try table.tables("calls", TracedCall.init)
    let counts = try table.tables("errors") {
      (try $0.integer("point"), try $0.integer("count"))
    }
    errors = Dictionary(counts, uniquingKeysWith: +)
    dropped = try table.integer("dropped")
  }
}

extension TracedCall {
  fileprivate init(_ table: ScriptTable) throws {
    let callers = table.has("callers") ? try table.integers("callers") : []
    self.init(
      point: try table.integer("point"), level: try table.integer("level"),
      thread: try table.integer("thread"), began: try table.moment("began"),
      cost: try table.seconds("cost"), succeeded: try table.boolean("succeeded"),
      receiver: try table.text("receiver"), arguments: try table.text("arguments"),
      outcome: try table.text("outcome"), shown: try table.text("shown"),
      callers: callers.isEmpty ? nil : callers.map(UInt.init(bitPattern:)))
  }
}

extension ScriptTable {
  /// A field that has to be a moment, in seconds since 1970: to the microsecond.
  func moment(_ name: String) throws(ScriptTableError) -> Double {
    (try number(name) * 1e6).rounded() / 1e6
  }

  /// A field that has to be a duration, in seconds: to the nanosecond.
  func seconds(_ name: String) throws(ScriptTableError) -> Double {
    (try number(name) * 1e9).rounded() / 1e9
  }
}

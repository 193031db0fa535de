// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingToolKit

extension Option {
  /// The options that select the calls which a patch takes part in.
  static let selection = [
    Option("--calls", "PERCENT", "only this share of the calls (1%, 0.5%)"),
    Option(
      "--key", "EXPR",
      "with --calls: choose all calls alike for which this Lua expression is the same"),
    Option("--when", "EXPR", "only calls for which this Lua expression is true"),
  ]
}

extension SelectionPayload {
  /// Creates the selection that the options describe; nil if there is none.
  init?(_ arguments: ParsedArguments, command: String) throws(CommandError) {
    let key = try arguments.expression("--key")
    let condition = try arguments.expression("--when")
    let share = try arguments["--calls"].map { (text) throws(CommandError) in
      try Self.share(text, command)
    }
    if share == nil, key == nil, condition == nil { return nil }
    if key != nil, share == nil {
      throw .usage("'--key' says which calls belong together: give --calls, too", command: command)
    }
    self.init(share: share, key: key, condition: condition)
  }

  private static func share(_ text: String, _ command: String) throws(CommandError) -> Double {
    let number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text)
    guard let number, number > 0, number <= 100 else {
      throw .usage(
        "'--calls' needs a percentage above 0, such as 1%, not '\(text)'", command: command)
    }
    return number / 100
  }
}

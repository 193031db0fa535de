// SPDX-License-Identifier: MIT

/// The arguments of one command, known to fit what the command declares.
struct ParsedArguments: Sendable {
  var command = ""
  var positional: [String] = []
  /// The values of the options that were given; switches have an empty one.
  var values: [String: String] = [:]

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  subscript(name: String) -> String? { values[name] }

  /// A number of seconds, 0 to a day.
  func seconds(_ name: String) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let value = Double(text), (0...86_400).contains(value) else {
      throw .usage("'\(name)' needs a number of seconds, not '\(text)'", command: command)
    }
    return value
  }
}

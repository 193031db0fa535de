// SPDX-License-Identifier: MIT

/// The arguments of one command, known to fit what the command declares.
struct ParsedArguments: Sendable {
  var command = ""
  var positional: [String] = []
  /// The values of the options that were given; switches have an empty one.
  var values: [String: String] = [:]
  /// All values of the options that may be given several times, in order.
  var lists: [String: [String]] = [:]

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  subscript(name: String) -> String? { values[name] }

  /// A time as `90s`, `10m` or `2h`, in seconds; a second to a week.
  func time(_ name: String) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
      (1...604_800).contains(Double(number) * unit)
    else {
      throw .usage(
        "'\(name)' needs a time such as 90s, 10m or 2h, a week at most, not '\(text)'",
        command: command)
    }
    return Double(number) * unit
  }

  /// A number of things, at least 1.
  func count(_ name: String) throws(CommandError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .usage("'\(name)' needs a number above 0, not '\(text)'", command: command)
    }
    return count
  }

  /// A number of seconds, 0 to a day.
  func seconds(_ name: String) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let value = Double(text), (0...86_400).contains(value) else {
      throw .usage("'\(name)' needs a number of seconds, not '\(text)'", command: command)
    }
    return value
  }
}

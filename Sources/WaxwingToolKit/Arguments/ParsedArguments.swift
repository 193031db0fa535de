// SPDX-License-Identifier: MIT

/// The arguments of one command, known to fit what the command declares.
package struct ParsedArguments: Sendable {
  package var command = ""
  package var positional: [String] = []
  /// The values of the options that were given; switches have an empty one.
  package var values: [String: String] = [:]
  /// All values of the options that may be given several times, in order.
  package var lists: [String: [String]] = [:]

  package init(command: String = "") { self.command = command }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package subscript(name: String) -> String? { values[name] }

  /// A time as `90s`, `10m`, `2h` or `1h30m`, in seconds; a second to a week.
  package func time(_ name: String) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let seconds = Self.seconds(in: text), (1...604_800).contains(seconds) else {
      throw .usage(
        "'\(name)' needs a time such as 90s, 10m or 1h30m, a week at most, not '\(text)'",
        command: command)
    }
    return seconds
  }

  /// The greater units come first, each one once.
  private static func seconds(in text: String) -> Double? {
    var units: [(character: Character, seconds: Double)] = [("h", 3600), ("m", 60), ("s", 1)]
    var (sum, digits) = (0.0, "")
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        guard let number = Int(digits),
          let index = units.firstIndex(where: { $0.character == character })
        else { return nil }
        sum += Double(number) * units[index].seconds
        units.removeFirst(index + 1)
        digits = ""
      }
    }
    return text.isEmpty || !digits.isEmpty ? nil : sum
  }

  /// A number of things, at least 1.
  package func count(_ name: String) throws(CommandError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .usage("'\(name)' needs a number above 0, not '\(text)'", command: command)
    }
    return count
  }

  /// A number of seconds, `2` or `0.5`, or a time as `90s`, `10m`, `1h30m`; 0 to a day.
  package func seconds(_ name: String) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let value = Double(text) ?? Self.seconds(in: text), (0...86_400).contains(value) else {
      throw .usage(
        "'\(name)' needs seconds, or a time such as 90s or 1h30m, a day at most, not '\(text)'",
        command: command)
    }
    return value
  }
}

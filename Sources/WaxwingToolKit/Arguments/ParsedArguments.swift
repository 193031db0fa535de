// SPDX-License-Identifier: MIT

import WaxwingSystem

/// The arguments of one command, known to fit what the command declares.
package struct ParsedArguments: Sendable {
  package var command = ""
  /// The name of the program.
  private let program: String
  /// The positional arguments without PROGRAM.
  package var positional: [String] = []
  /// The argument PROGRAM, the name of the daemon to ask; nil if it was not given.
  package var daemon: String?
  /// The values of the options that were given; switches have an empty one.
  package var values: [String: String] = [:]
  /// All values of the options that may be given several times, in order.
  package var lists: [String: [String]] = [:]

  package init(command: String = "", of program: String = "waxwing") {
    self.command = command
    self.program = program
  }

  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  package subscript(name: String) -> String? { values[name] }

  /// A length of time in seconds, see `DurationSyntax`.
  /// - Parameter range: The seconds that the option takes.
  package func time(
    _ name: String, in range: ClosedRange<Double> = 1...604_800
  ) throws(CommandError) -> Double? {
    guard let text = values[name] else { return nil }
    guard let seconds = DurationSyntax.seconds(text), range.contains(seconds) else {
      let limits = "\(DurationText.of(range.lowerBound)) to \(DurationText.of(range.upperBound))"
      throw .usage(
        "'\(name)' needs a time such as 90s, 10m or 1h30m, \(limits), not '\(text)'",
        command: command, of: program)
    }
    return seconds
  }

  /// A number of things, at least 1.
  package func count(_ name: String) throws(CommandError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .usage("'\(name)' needs a number above 0, not '\(text)'", command: command, of: program)
    }
    return count
  }

  /// A length of time up to a day, in seconds.
  package func seconds(_ name: String) throws(CommandError) -> Double? {
    try time(name, in: 0...86_400)
  }
}

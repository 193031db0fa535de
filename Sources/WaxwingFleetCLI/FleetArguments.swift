// SPDX-License-Identifier: MIT

package import WaxwingFleet
package import WaxwingToolKit

/// The words behind a command, taken apart by its options.
package struct FleetArguments: Sendable {
  /// What belongs to no option, in order.
  package let positional: [String]

  private let values: [String: String]
  private let flags: Set<String>

  /// - Throws: ``FleetError`` `invalid`, naming the word that is wrong.
  package init(
    _ words: [String], options: [Option], count: ClosedRange<Int>
  ) throws(FleetError) {
    var rest = words[...]
    var positional: [String] = []
    var values: [String: String] = [:]
    var flags: Set<String> = []
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw FleetError(.invalid, "there is no option \(name) here", remedy: "see --help")
      }
      if option.value == nil, parts.count == 1 {
        flags.insert(name)
      } else if option.value != nil,
        let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
      {
        values[name] = value
      } else {
        throw FleetError(
          .invalid, option.value.map { "\(name) needs a value: \($0)" } ?? "\(name) takes no value",
          remedy: "see --help")
      }
    }
    guard count.contains(positional.count) else {
      let what =
        positional.count < count.lowerBound
        ? "an argument is missing" : "there are too many arguments"
      throw FleetError(.invalid, what, remedy: "see --help")
    }
    self.positional = positional
    self.values = values
    self.flags = flags
  }

  /// An option's value; nil: it was not given.
  package subscript(name: String) -> String? { values[name] }

  /// Whether an option without a value was given.
  package func has(_ option: Option) -> Bool { flags.contains(option.name) }

  /// A whole number that is not negative.
  package func count(_ name: String) throws(FleetError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw FleetError(
        .invalid, "\(name) needs a number, and '\(text)' is none", remedy: "see --help")
    }
    return number
  }

  /// A length of time in seconds.
  package func seconds(_ name: String) throws(FleetError) -> Int? {
    guard let text = values[name] else { return nil }
    guard let seconds = FleetDuration.seconds(text) else {
      throw FleetError(
        .invalid, "\(name) needs a time, and '\(text)' is none",
        remedy: "write it like 90s, 10m or 2h")
    }
    return seconds
  }
}

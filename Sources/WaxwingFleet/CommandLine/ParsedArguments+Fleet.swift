// SPDX-License-Identifier: MIT

package import WaxwingToolKit

/// Values of options as the commands of a fleet take them.
extension ParsedArguments {
  /// A number that is not negative.
  package func number(_ name: String) throws(FleetError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw FleetError(
        .invalid, "'\(name)' needs a number, not '\(text)'", remedy: "write it in digits")
    }
    return number
  }

  /// A length of time in whole seconds.
  /// - Parameter days: The most that it may be.
  package func wholeSeconds(_ name: String, days: Int = 1) throws(FleetError) -> Int? {
    do throws(CommandError) {
      return try time(name, in: 0...Double(days * 86_400)).map { Int($0) }
    } catch {
      throw FleetError(.invalid, error.message, remedy: error.remedy)
    }
  }
}

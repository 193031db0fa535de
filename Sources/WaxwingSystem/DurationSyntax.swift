// SPDX-License-Identifier: MIT

/// Lengths of time as operators write them.
package enum DurationSyntax {
  private static let units: [(character: Character, seconds: Double)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// The seconds of `90`, `0.5`, `90s`, `10m`, `2h`, `7d` or `1h30m`: a number of seconds, or numbers with units,
  /// the greatest unit first and each one once. nil: the text is none of these.
  package static func seconds(_ text: some StringProtocol) -> Double? {
    if text.allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber }) { return Double(text) }
    var units = Self.units[...]
    var (sum, digits) = (0.0, "")
    for character in text {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        guard let number = Int(digits),
          let index = units.firstIndex(where: { $0.character == character })
        else { return nil }
        sum += Double(number) * units[index].seconds
        units = units[(index + 1)...]
        digits = ""
      }
    }
    return digits.isEmpty ? sum : nil
  }
}

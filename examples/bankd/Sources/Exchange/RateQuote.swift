// SPDX-License-Identifier: MIT

/// What one euro costs in another currency, at one moment.
struct RateQuote {
  let currency: Currency
  /// Counts the quotes that the feed has given.
  let number: Int
  /// Millionths of the other currency's unit.
  let rate: Int
  /// False of a quote that is used though there are newer ones.
  var isCurrent = true

  /// What `cents` euro cents are, in hundredths of the other currency's unit; a rest is cut.
  func converted(_ cents: Int) -> Int { cents * rate / 1_000_000 }
}

/// As clients see it.
extension RateQuote: Encodable {
  private enum CodingKeys: String, CodingKey {
    case currency
    case number
    case rate
    case isCurrent = "current"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(currency, forKey: .currency)
    try container.encode(number, forKey: .number)
    // As people write it: 1.083100.
    let (units, millionths) = rate.quotientAndRemainder(dividingBy: 1_000_000)
    try container.encode(
      "\(units).\(String(1_000_000 + millionths).dropFirst())", forKey: .rate)
    try container.encode(isCurrent, forKey: .isCurrent)
  }
}

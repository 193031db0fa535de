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

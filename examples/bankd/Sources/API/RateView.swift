// SPDX-License-Identifier: MIT

/// A quote as clients see it.
struct RateView: Encodable {
  let currency: Currency
  let number: Int
  /// What a euro costs, as people write it: `1.083100`.
  let rate: String
  let current: Bool

  init(_ quote: RateQuote) {
    currency = quote.currency
    number = quote.number
    let (units, millionths) = quote.rate.quotientAndRemainder(dividingBy: 1_000_000)
    rate = "\(units).\(String(1_000_000 + millionths).dropFirst())"
    current = quote.isCurrent
  }
}

// SPDX-License-Identifier: MIT

/// Why there is no quote.
enum RateError: Error {
  /// The feed does not work at the moment; it may later.
  case outOfService
  /// Nobody knows what the currency costs.
  case noQuote(Currency)

  var message: String {
    switch self {
    case .outOfService: "the feed of rates is out of service"
    case .noQuote(let currency): "there is no quote for \(currency.rawValue)"
    }
  }
}

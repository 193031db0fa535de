// SPDX-License-Identifier: MIT

/// The body of an exchange.
struct ExchangeRequest: Decodable {
  let account: Int
  /// Euro cents.
  let amount: Int
  let currency: Currency
}

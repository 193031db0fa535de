// SPDX-License-Identifier: MIT

/// What the bank pays out besides its own currency, the euro.
enum Currency: String, CaseIterable, Codable {
  case usd = "USD"
  case gbp = "GBP"
  case chf = "CHF"
}

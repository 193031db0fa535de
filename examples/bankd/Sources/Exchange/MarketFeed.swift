// SPDX-License-Identifier: MIT

/// A market that is simulated, and does as it is told: answers, dawdles, or fails.
actor MarketFeed: RateFeed {
  private(set) var condition = Condition.up
  /// How often it was asked.
  private(set) var requests = 0
  private var quotes = 0

  func set(_ condition: Condition) { self.condition = condition }

  func rate(of currency: Currency) async throws -> RateQuote {
    requests += 1
    try await Task.sleep(for: condition.delay)
    guard condition != .down else { throw RateError.outOfService }
    quotes += 1
    // Each quote differs from the one before, so that an old one is recognised.
    return RateQuote(
      currency: currency, number: quotes, rate: currency.opening + quotes % 10 * 100)
  }
}

extension MarketFeed {
  /// How the market does.
  enum Condition: String, Codable {
    case up
    case slow
    case down
  }
}

extension MarketFeed.Condition {
  /// How long it takes to answer, or to fail.
  fileprivate var delay: Duration { self == .slow ? .seconds(2) : .milliseconds(10) }
}

extension Currency {
  /// What a euro costs before the first quote, in millionths.
  fileprivate var opening: Int {
    switch self {
    case .usd: 1_083_000
    case .gbp: 851_000
    case .chf: 942_000
    }
  }
}

// SPDX-License-Identifier: MIT

/// Quotes what other currencies cost.
actor RateService {
  private let feed: any RateFeed
  /// How long to wait before the feed is asked again.
  private let pause = Duration.milliseconds(20)

  init(feed: any RateFeed) {
    self.feed = feed
  }

  /// Asks the feed, and asks again if it is out of service.
  func quote(_ currency: Currency) async throws -> RateQuote {
    while true {
      do {
        return try await feed.rate(of: currency)
      } catch RateError.outOfService {
        try await Task.sleep(for: pause)
      }
    }
  }
}

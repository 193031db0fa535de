// SPDX-License-Identifier: MIT

/// Where rates come from: something far away, which takes its time.
protocol RateFeed: Sendable {
  /// - Throws: `RateError.outOfService` when it is worth trying again, `CancellationError` when the
  ///   task was cancelled meanwhile.
  func rate(of currency: Currency) async throws -> RateQuote
}

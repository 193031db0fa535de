// SPDX-License-Identifier: MIT

extension BankAPI {
  static let exchangeRoutes = [
    Route(waiting: .get, "/rates") { api, request, _ in
      let text = request.head.query["currency"] ?? ""
      guard let currency = Currency(rawValue: text) else {
        let all = Currency.allCases.map(\.rawValue).joined(separator: ", ")
        throw HTTPError.unprocessable(
          "the query needs a currency, one of \(all): /rates?currency=USD")
      }
      return try HTTPResponse(content: try await api.rates.quote(currency))
    },
    Route(waiting: .post, "/exchanges") { api, request, _ in
      let body = try request.decoded(as: ExchangeRequest.self)
      let receipt = try await api.ledger.exchange(
        body.amount, from: body.account, into: body.currency)
      return try HTTPResponse(.created, content: receipt)
    },
    Route(waiting: .get, "/ledger") { api, _, _ in
      let entries = await api.ledger.latest(50)
      return try HTTPResponse(content: LedgerView(count: await api.ledger.count, entries: entries))
    },
    Route(waiting: .get, "/feed") { api, _, _ in try await api.feedView() },
    // The feed is simulated: this is how to see what comes of it when a real one fails.
    Route(waiting: .post, "/feed") { api, request, _ in
      await api.feed.set(try request.decoded(as: FeedRequest.self).condition)
      return try await api.feedView()
    },
  ]

  private func feedView() async throws -> HTTPResponse {
    try HTTPResponse(
      content: FeedView(condition: await feed.condition, requests: await feed.requests))
  }
}

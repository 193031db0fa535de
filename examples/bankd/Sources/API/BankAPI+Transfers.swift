// SPDX-License-Identifier: MIT

extension BankAPI {
  static let transferRoutes = [
    Route(waiting: .post, "/transfers") { api, request, _ in
      let body = try request.decoded(as: TransferRequest.self)
      let receipt = try await api.ledger.transfer(body.amount, from: body.from, to: body.to)
      return try HTTPResponse(.created, content: receipt)
    },
    Route(.get, "/fees") { api, request, _ in
      guard let amount = request.head.query["amount"].flatMap({ Int($0) }) else {
        throw HTTPError.unprocessable("the query needs an amount in cents: /fees?amount=1000")
      }
      try Bank.check(amount)
      return try HTTPResponse(
        content: FeeView(amount: amount, fee: api.bank.fees.fee(on: amount)))
    },
  ]
}

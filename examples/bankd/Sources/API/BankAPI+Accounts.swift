// SPDX-License-Identifier: MIT

extension BankAPI {
  static let accountRoutes = [
    Route(.get, "/accounts") { api, _, _ in
      try HTTPResponse(content: ["accounts": api.bank.accounts().map(AccountView.init)])
    },
    Route(.post, "/accounts") { api, request, _ in
      let body = try request.decoded(as: OpenAccountRequest.self)
      let account = try api.bank.openAccount(
        body.kind ?? .checking, owner: body.owner, nickname: body.nickname)
      return try HTTPResponse(.created, content: AccountView(account))
    },
    Route(.get, "/accounts/:id") { api, _, id in
      try HTTPResponse(content: AccountView(try api.bank.account(id)))
    },
    Route(.post, "/accounts/:id/title") { api, request, id in
      let body = try request.decoded(as: TitleRequest.self)
      let account = try api.bank.rename(id, to: body.title)
      return try HTTPResponse(content: AccountView(account))
    },
    Route(.post, "/accounts/:id/deposit") { api, request, id in
      let body = try request.decoded(as: AmountRequest.self)
      let balance = try api.bank.deposit(body.amount, into: id, memo: body.memo ?? "")
      return try HTTPResponse(content: BalanceView(account: id, balance: balance))
    },
    Route(.post, "/accounts/:id/withdraw") { api, request, id in
      let body = try request.decoded(as: AmountRequest.self)
      let balance = try api.bank.withdraw(body.amount, from: id, memo: body.memo ?? "")
      return try HTTPResponse(content: BalanceView(account: id, balance: balance))
    },
    Route(.get, "/accounts/:id/statement") { api, _, id in
      let account = try api.bank.account(id)
      let statement = account.lock.withLock { account.statement(limit: 50) }
      return try HTTPResponse(content: statement)
    },
    Route(.get, "/accounts/:id/table") { api, _, id in
      let account = try api.bank.account(id)
      let lines = account.lock.withLock { account.makeTable(limit: 50).lines() }
      return try HTTPResponse(content: ["lines": lines])
    },
  ]
}

// SPDX-License-Identifier: MIT

import Foundation

extension BankAPI {
  static let healthRoutes = [
    Route(.get, "/health") { api, _, _ in
      try HTTPResponse(
        content: HealthView(status: "ok", pid: getpid(), accounts: api.bank.accountCount))
    }
  ]
}

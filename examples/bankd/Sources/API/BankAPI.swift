// SPDX-License-Identifier: MIT

/// The bank as an HTTP service.
struct BankAPI: RequestHandler {
  let bank: Bank
  let ledger: Ledger
  let rates: RateService
  let feed: MarketFeed
  private let routes: [Route]

  init(bank: Bank, feed: MarketFeed) {
    self.bank = bank
    self.feed = feed
    rates = RateService(feed: feed)
    ledger = Ledger(bank: bank, rates: rates)
    routes = Self.healthRoutes + Self.accountRoutes + Self.transferRoutes + Self.exchangeRoutes
  }

  func respond(to request: HTTPRequest) throws(HTTPError) -> HTTPReply {
    var allowed: [HTTPMethod] = []
    for route in routes {
      guard let id = route.pattern.identifier(in: request.path) else { continue }
      if route.method == request.method {
        return reply(of: route, to: request, id: id)
      }
      allowed.append(route.method)
    }
    guard allowed.isEmpty else { throw .methodNotAllowed(request.path, allowed: allowed) }
    throw .notFound("there is nothing at \(request.path)")
  }

  private func reply(of route: Route, to request: HTTPRequest, id: Int) -> HTTPReply {
    switch route.action {
    case .immediate(let action):
      do {
        return .ready(try action(self, request, id))
      } catch {
        return .ready(Self.response(to: error))
      }
    case .waiting(let action):
      return .later {
        do {
          return try await action(self, request, id)
        } catch {
          return Self.response(to: error)
        }
      }
    }
  }

  private static func response(to error: any Error) -> HTTPResponse {
    switch error {
    case let error as HTTPError: HTTPResponse(error)
    case let error as BankError: HTTPResponse(HTTPError(error))
    case let error as RateError: HTTPResponse(.unavailable(error.message))
    case is CancellationError: HTTPResponse(.unavailable("the request was given up"))
    default: .internalError()
    }
  }
}

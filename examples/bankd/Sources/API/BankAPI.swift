// SPDX-License-Identifier: MIT

/// The bank as an HTTP service.
struct BankAPI: RequestHandler {
  let bank: Bank
  private let routes: [Route]

  init(bank: Bank) {
    self.bank = bank
    routes = Self.healthRoutes + Self.accountRoutes + Self.transferRoutes
  }

  func respond(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    var allowed: [HTTPMethod] = []
    for route in routes {
      guard let id = route.pattern.identifier(in: request.path) else { continue }
      if route.method == request.method {
        return try call(route, with: request, id: id)
      }
      allowed.append(route.method)
    }
    guard allowed.isEmpty else { throw .methodNotAllowed(request.path, allowed: allowed) }
    throw .notFound("there is nothing at \(request.path)")
  }

  private func call(_ route: Route, with request: HTTPRequest, id: Int) throws(HTTPError)
    -> HTTPResponse
  {
    do {
      return try route.action(self, request, id)
    } catch let error as BankError {
      throw HTTPError(error)
    } catch let error as HTTPError {
      throw error
    } catch {
      return .internalError()
    }
  }
}

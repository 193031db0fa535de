// SPDX-License-Identifier: MIT

import Glibc
import HTTPTypes
import Hummingbird

struct Ctx: RequestContext {
  var parameters = Parameters()
  init() {}
}
struct Order: ResponseCodable, Equatable {
  var id: Int
  var sku: String
  var total: Double
}
actor Store {
  var orders: [Int: Order] = [:]
  func create(_ order: Order) -> Order {
    var order = order
    order.id = orders.count + 1
    orders[order.id] = order
    return order
  }
  func get(_ id: Int) -> Order? { orders[id] }
}
actor Stock {
  var left = 3
  func take(_ count: Int) throws -> Int {
    if count > left { throw HTTPError(.conflict, message: "only \(left)") }
    left -= count
    return left
  }
  func refill() -> Int {
    left = 3
    return left
  }
}
final class Cleaner: Service {
  let stock: Stock
  init(stock: Stock) { self.stock = stock }
  func tick() async -> Int { await stock.refill() }
  func run() async throws { print("tick \(await tick())") }
}
struct Auth<C: RequestContext>: RouterMiddleware {
  let keep: String
  func handle(
    _ request: Request, context: C, next: (Request, C) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.server] = keep
    return response
  }
}
struct Err<C: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: C, next: (Request, C) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let error as HTTPError {
      return Response(status: error.status, headers: [.server: "err \(error.body ?? "-")"])
    }
  }
}
struct Controller {
  let store: Store
  func add(to router: Router<Ctx>) {
    router.post("orders", use: create).get("orders/{id}", use: show)
      .delete("orders/{id}") { _, _ -> HTTPResponse.Status in .noContent }
  }
  @Sendable func create(_ request: Request, context: Ctx) async throws -> EditedResponse<Order> {
    EditedResponse(
      status: .created, headers: [.location: "/x"],
      response: await store.create(try request.decode(as: Order.self, context: context)))
  }
  @Sendable func show(_ request: Request, context: Ctx) async throws -> Order {
    let id = try context.parameters.require("id", as: Int.self)
    guard let order = await store.get(id) else { throw HTTPError(.notFound, message: "no \(id)") }
    return order
  }
}
func router() -> Router<Ctx> {
  let router = Router(context: Ctx.self)
  router.add(middleware: Auth<Ctx>(keep: "shop"))
  router.add(middleware: Err<Ctx>())
  Controller(store: Store()).add(to: router)
  router.get("hello/{name}") { _, context in
    "hello \(try context.parameters.require("name", as: String.self))"
  }
  let stock = Stock()
  router.get("take/{n}") { _, context in
    String(try await stock.take(try context.parameters.require("n", as: Int.self)))
  }
  router.get("cookie") { _, _ -> Response in Response(status: .ok) }
  return router
}
setvbuf(stdout, nil, Int32(_IOLBF), 0)
while let line = readLine() {
  guard line == "go" else { break }
  let router = router()
  let order = #"{"id":0,"sku":"a","total":2.5}"#
  for (method, path, body) in [
    (HTTPRequest.Method.post, "orders", order), (.get, "orders/1", ""), (.get, "orders/7", ""),
    (.delete, "orders/1", ""), (.get, "hello/bob", ""), (.get, "hello/amy", ""),
    (.get, "take/2", ""), (.get, "take/2", ""), (.get, "cookie", ""), (.post, "orders", "{"),
  ] {
    do {
      let answer = try await router.respond(to: Request(method, path, body))
      print(
        "\(method.rawValue) \(path): \(answer.status.code) \(answer.headers.text) \(answer.body.text);"
      )
    } catch { print("\(method.rawValue) \(path): error;") }
  }
  try await Cleaner(stock: Stock()).run()
  print("--")
}

// SPDX-License-Identifier: MIT

import Glibc
import Vapor

struct Payment: Content, Sendable {
  var amount: Int
  var currency: String
}
struct OrderView: Content, Sendable {
  var id: Int
  var total: Int
  var status: String
  var items: [String]
}
enum ShopError: Error, AbortError {
  case missing(Int)
  case closed
  var status: HTTPResponseStatus {
    switch self {
    case .missing: .notFound
    case .closed: .conflict
    }
  }
  var reason: String {
    switch self {
    case .missing(let id): "no order \(id)"
    case .closed: "closed"
    }
  }
}
actor OrderStore {
  var orders = [1: OrderView(id: 1, total: 30, status: "open", items: ["pen", "cup"])]
  func find(_ id: Int) -> OrderView? { orders[id] }
  func put(_ order: OrderView) { orders[order.id] = order }
  func pay(_ id: Int, _ payment: Payment) throws -> OrderView {
    guard var order = orders[id] else { throw ShopError.missing(id) }
    order.total -= payment.amount
    orders[id] = order
    return order
  }
}
struct OrderController {
  let store: OrderStore
  @Sendable func show(req: Request) async throws -> OrderView {
    guard let id = req.parameters.get("id", as: Int.self) else { throw Abort(.badRequest) }
    guard let order = await store.find(id) else { throw ShopError.missing(id) }
    return order
  }
  @Sendable func pay(req: Request) async throws -> OrderView {
    try await store.pay(
      req.parameters.require("id", as: Int.self), req.content.decode(Payment.self))
  }
  @Sendable func create(req: Request) async throws -> Response {
    let view = try req.content.decode(OrderView.self)
    await store.put(view)
    return try await view.encodeResponse(status: .created, for: req)
  }
  @Sendable func legacy(req: Request) -> EventLoopFuture<String> {
    req.eventLoop.makeSucceededFuture("old \(req.parameters.get("id") ?? "?")")
  }
}
struct TokenMiddleware: AsyncMiddleware {
  let token: String
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
    let response = try await next.respond(to: request)
    response.headers.replaceOrAdd(name: "x-shop", value: token)
    return response
  }
}
final class OldMiddleware: Middleware {
  func respond(to request: Request, chainingTo next: any Responder) -> EventLoopFuture<Response> {
    next.respond(to: request)
  }
}
final class AdminController: Sendable {
  let store: OrderStore
  init(store: OrderStore) { self.store = store }
  @Sendable func hello(req: Request) throws -> Response {
    Response(headers: ["x-hello": "1"], body: .init(string: "hello you"))
  }
}
func configure(_ app: Application) {
  app.middlewares.append(TokenMiddleware(token: "1"))
  app.oldMiddlewares.append(OldMiddleware())
  let store = OrderStore()
  let orders = OrderController(store: store)
  let admin = AdminController(store: store)
  app.get("orders", use: orders.show)
  app.post("pay", use: orders.pay)
  app.post("orders", use: orders.create)
  app.get("hello", use: admin.hello)
  let prefix = "p"
  app.get("text") { req in "text \(req.parameters.get("id") ?? "-") \(prefix)" }
  app.get("plain") { req in "plain" }
  app.get("status") { req in HTTPResponseStatus.ok }
}
let loop = EmbeddedEventLoop()
setvbuf(stdout, nil, Int32(_IOLBF), 0)
while let line = readLine() {
  guard line == "go" else { break }
  let app = Application()
  configure(app)
  let order = #"{"id":9,"total":3,"status":"x","items":["a"]}"#
  for (method, path, text) in [
    ("GET", "orders/1", ""), ("GET", "orders/7", ""), ("POST", "orders", order),
    ("POST", "orders", #"{"id":9,"total":3,"status":"x","items":[]}"#),
    ("POST", "pay/1", #"{"amount":5,"currency":"EUR"}"#),
    ("POST", "pay/1", #"{"amount":-5,"currency":"EUR"}"#), ("GET", "hello", ""),
    ("GET", "text/3", ""), ("GET", "text/9", ""), ("GET", "plain", ""), ("GET", "status", ""),
  ] { print("\(method) \(path): \(await app.answer(method, path, text));") }
  print("--")
}

// SPDX-License-Identifier: MIT

// Route closures of all kinds.

import Glibc
import Web

struct Ctx: Context {
  var id: Int
  var user = "user"
  init(id: Int) { self.id = id }
}
final class Store: @unchecked Sendable {
  nonisolated(unsafe) static var alive = 0
  init() { Store.alive += 1 }
  deinit { Store.alive -= 1 }
  func price(_ sku: String) async -> Int {
    await Task.yield()
    return sku.count
  }
}
actor Counter {
  var n = 0
  func next() -> Int {
    n += 1
    return n
  }
}
func buildRouter(_ store: Store, prefix: String) async -> Router<Ctx> {
  let router = Router<Ctx>()
  let counter = Counter()
  router.get("string") { q, c in "string \(q.number) \(c.id)" }
  router.get("object") { q, c -> Int in await store.price("tea") * q.number }
  router.get("throwing") { q, _ -> String in
    if q.number > 2 { throw Oops(code: q.number) }
    return prefix + " fine"
  }
  router.get("wide") { q, c in
    await Task.yield()
    return Wide(q.number, prefix)
  }
  router.get("small") { q, _ in Small(q.number > 2, Int32(q.number)) }
  router.on("optional") { q, _ -> String? in q.number > 2 ? nil : prefix }
  router.on("array") { q, c in [q.number, c.id] }
  router.group.post("double") { q, c -> Double in Double(q.number) / 2 }
  router.raw("raw") { q, id in "\(q.path) \(id) \(prefix)" }
  router.many("many") { a, b, c, d, e, f, g, h, i in Wide(a + b + c + d + e + f + g, "\(h) \(i)") }
  router.nothing("nothing") { q in if q.number > 2 { throw Oops(code: 1) } }
  router.generic(
    "generic", "v", then: { one, all, u in ((one ?? "") + all.joined(), u + 1) }, use: 41)
  router.object("inout", Session("s")) { session, n in
    n += 1
    return session.name.count + n
  }
  router.void("void") { q in _ = await counter.next() }
  router.optional("maybe") { q in q.number + 1 }
  await router.later("later") { q in q.number + 2 }
  router.pair("pair", { q in q.number + 3 }, { q in await store.price(prefix) })
  router.get("nested") { q, c in
    let inner = Router<Ctx>()
    inner.on("x") { q, c in "inner \(q.number) \(prefix)" }
    return await inner.run("x", q.number, id: c.id)
  }
  router.void("error") { q -> String in
    try await Task.sleep(nanoseconds: 1)
    if q.number > 2 { throw CancellationError() }
    return "slept"
  }
  return router
}
struct Controller {
  let greeting: String
  let store: Store
  func add(to router: Router<Ctx>) {
    router.get("method") { q, c in "\(greeting) \(q.number) \(await store.price(greeting))" }
  }
  static func boot(_ router: Router<Ctx>) { router.get("static") { q, c in "static \(q.number)" } }
}
/// Methods as handlers.
struct Desk: Sendable {
  let sign: String
  let store: Store
  @Sendable func show(_ q: Request, _ c: Ctx) async throws -> String {
    if q.number > 9 { throw Oops(code: q.number) }
    return "\(sign) \(q.number) \(await store.price(sign))"
  }
  @Sendable func count(_ q: Request, _ id: Int) async -> String { "\(sign) \(q.number + id)" }
  func add(to router: Router<Ctx>) {
    router.get("shown", use: show).get("shown again", use: self.show)
    router.raw("counted", use: count)
  }
}
final class Clerk: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
  @Sendable func wide(_ q: Request, _ c: Ctx) async throws -> Wide { Wide(q.number, name) }
  func add(to router: Router<Ctx>) { router.get("wide method", use: wide) }
}
func refused(_ router: Router<Ctx>, _ store: Store) {
  let bound: @Sendable (Request, Ctx) async throws -> String = { q, c in
    "bound \(await store.price("x"))"
  }
  router.get("bound", use: bound)
  func generic<T: Answer>(_ t: T) { router.get("ingeneric") { q, c in t } }
  generic(5)
}
func two(_ router: Router<Ctx>, _ store: Store) async {
  await router.two(
    "two", { n in await store.price("tea") + n }, { n in await store.price("coffee") * n }, 2)
}
// Two of one name.
func alike(_ router: Router<Ctx>, _ number: Int) {
  router.raw("alike 1") { q, id in "\(number) \(id)" }
}
func alike(_ router: Router<Ctx>, _ text: String) {
  router.raw("alike 2") { q, id in "\(text) \(id)" }
}
/// The optimiser makes a copy of it for each type, and each copy of the closure has captured something else.
@inline(never) func copied<T: Answer>(_ router: Router<Ctx>, _ path: String, _ answer: T) {
  router.raw(path) { q, id in "\(answer.text) \(id)" }
}
/// The optimiser makes a copy of it for the closure that it is called with.
@inline(never) func addNow(
  _ router: Router<Ctx>, _ handler: @escaping @Sendable (Request, Int) async -> String
) async {
  for number in 0..<3 { _ = await handler(Request("now", number), number) }
  router.raw("now", use: handler)
}
func now(_ router: Router<Ctx>, _ store: Store) async {
  await addNow(router) { q, id in "now \(await store.price(q.path))" }
}
setvbuf(stdout, nil, Int32(_IOLBF), 0)
let store = Store()
let router = await buildRouter(store, prefix: "pre")
Controller(greeting: "hi", store: store).add(to: router)
Controller.boot(router)
Desk(sign: "desk", store: store).add(to: router)
Clerk("clerk").add(to: router)
refused(router, store)
await two(router, store)
alike(router, CommandLine.arguments.count)
alike(router, CommandLine.arguments.count.description)
copied(router, "copied 1", "text")
copied(router, "copied 2", 7)
await now(router, store)
router.health("health", 3)

func ask() async {
  for path in router.paths {
    let answers = [await router.run(path, 1, id: 7), await router.run(path, 5, id: 7)]
    print("\(path): \(answers.joined(separator: " | "));")
  }
}

/// Many at once, of which each has its own answer.
func askAtOnce() async -> Int {
  await withTaskGroup(of: Bool.self) { group in
    for number in 0..<500 {
      group.addTask { await router.run("object", number, id: number).hasSuffix(" \(3 * number)") }
      group.addTask {
        await router.run("string", number, id: number).hasSuffix("string \(number) \(number)")
      }
    }
    return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
  }
}

while readLine() != nil {
  await ask()
  print(await askAtOnce(), "wrong,", Store.alive, "store --")
}

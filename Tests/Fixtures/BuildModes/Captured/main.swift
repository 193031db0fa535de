// SPDX-License-Identifier: MIT

// Closures that capture values of all kinds.

import Dispatch
import Glibc
import Web

final class Store: @unchecked Sendable {
  nonisolated(unsafe) static var alive = 0
  var name: String
  init(_ name: String) {
    self.name = name
    Store.alive += 1
  }
  deinit { Store.alive -= 1 }
  func add(to router: Router) {
    router.on("own") { _ in "\(self.name)" }
    router.on("weak own") { [weak self] q in "\(self?.name ?? "gone") \(q.number)" }
    router.on("listed") { [name = self.name, other = self] q in "\(name) \(other.name)" }
  }
}
protocol Named { var name: String { get } }
extension Store: Named {}
struct Price: Named, Sendable {
  var name = "price"
  var cents = 250
  var parts = [1, 2]
}
struct Nothing: Sendable {}
enum Kind: Sendable {
  case plain
  case sized(Int, String)
}
struct Shop: Sendable {
  let store: Store
  let price: Price
  func add(to router: Router) { router.get("shop") { q in "\(store.name) \(price.cents)" } }
}

func plain(_ router: Router, _ store: Store, name: String, limit: Int) {
  router.on("nothing") { q in "\(q.number)" }
  router.on("one") { q in "\(store.name) \(q.number)" }
  router.on("two") { q in "\(store.name) \(name) \(limit)" }
  router.get("later") { q in
    await Task.yield()
    return "\(store.name) \(name) \(limit)"
  }
}
func values(
  _ router: Router, price: Price, named: any Named, kind: Kind, none: Store?, some: Store?,
  pair: (Int, String), small: Int8, flag: Bool, all: [String: Int], kindOf: any Named.Type
) {
  router.on("values") { q in
    "\(price.cents) \(named.name) \(kind) \(none?.name ?? "none") \(some?.name ?? "none") \(pair) "
      + "\(small) \(flag) \(all) \(kindOf)"
  }
  router.on("list") { q in "\(price.parts)" }
  let parts = price.parts
  router.on("array") { q in "\(parts)" }
}
func variables(_ router: Router, _ store: Store, _ gone: Store) -> (Int) -> Void {
  var count = 0
  var text = "a"
  var price = Price()
  weak var watched: Store? = store
  unowned let owner = store
  weak var lost: Store? = nil
  router.on("variables") { q in
    count += 1
    text += "b"
    price.cents += 1
    return
      "\(count) \(text) \(price.cents) \(watched?.name ?? "gone") \(owner.name) \(lost?.name ?? "gone")"
  }
  router.on("count") { q in
    count += 10
    return "\(count)"
  }
  return {
    count = $0
    text = "a"
    price.cents = 250
  }
}
func empties(_ router: Router, limit: Int, nothing: Nothing, type: Int.Type, name: String) {
  router.on("empties") { q in "\(limit) \(nothing) \(type) \(name)" }
}
@inline(never) func functions(
  _ router: Router, add: @escaping (Int) -> Int, join: @escaping (String, Int) throws -> String,
  limit: Int
) {
  router.on("functions") { q in "\(add(q.number)) \(try join("x", limit))" }
}
@inline(never) func generic<T: Named>(_ router: Router, _ value: T, _ list: [T], limit: Int) {
  router.on("generic") { q in "\(value.name) \(list.count) \(limit)" }
}
func twice(_ router: Router, limit: Int) {
  router.pair("pair", { q in "\(limit)" }, { q in "\(q.number) second" })
}
func lent(_ router: Router, limit: Int) -> Int {
  router.each { $0 * limit }
}

/// Closures of types that escape, which are lent: the optimiser may leave what they have captured on the stack.
@inline(never) func kept(_ router: any Runner, _ store: Store, limit: Int) {
  let numbers = { note("\(limit) \(store.name)") }
  let one = { note(store.name) }
  let number = { note("\(limit)") }
  router.run(numbers)
  router.run(one)
  router.run(number)
}
func note(_ text: String) { print(text, terminator: " noted; ") }

/// The optimiser puts it into each of its callers, and each has a forwarder of its own.
@inline(__always) func shared(_ router: Router, _ name: String, _ store: Store, _ limit: Int) {
  router.on(name) { q in "\(store.name) \(limit) \(q.number)" }
  router.get(name + " later") { q in
    await Task.yield()
    return "\(limit) \(store.name) \(q.number)"
  }
}
@inline(never) func first(_ router: Router, _ limit: Int) {
  shared(router, "shared one", store, limit)
}
@inline(never) func second(_ router: Router, _ limit: Int) {
  shared(router, "shared two", store, limit + 1)
  shared(router, "shared three", store, limit + 2)
}
/// The optimiser makes a copy of it for each type, and each copy of the closure has captured something else.
@inline(never) func copied<T: Named & Sendable>(
  _ router: Router, _ name: String, _ value: T, _ limit: Int
) {
  router.on(name) { q in "\(q.number) \(value.name) \(limit)" }
  router.get(name + " later") { q in "\(limit) \(value.name) \(q.number)" }
}

let mainKey = DispatchSpecificKey<Bool>()
/// Whether it is called on the main actor, whose thread changes.
@inline(never) public func isOnMain() -> Bool { DispatchQueue.getSpecific(key: mainKey) == true }
func isolated(_ router: Router, limit: Int) {
  router.main("main") { q in
    await Task.yield()
    return "\(limit) \(q.number) \(isOnMain())"
  }
  router.onMain("on main") { q in "\(q.number) \(limit) \(isOnMain())" }
}
func typed(_ router: Router, limit: Int) {
  router.typed("typed") { (q) throws(Oops) in
    if q.number > limit { throw Oops(q.number) }
    return "\(q.number)"
  }
  router.typedLater("typed later") { (q) async throws(Oops) in
    await Task.yield()
    if q.number > limit { throw Oops(q.number + 1) }
    return "\(q.number) later"
  }
}

// The runtime or C calls them.
@inline(never) func inTasks(limit: Int) async -> Int {
  let task = Task { () -> Int in
    await Task.yield()
    return limit + 1
  }
  return await task.value
}
@inline(never) func inQueue(limit: Int) -> String {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    if limit > 0 { done.signal() }
  }
  return "\(done.wait(timeout: .now() + 60))"
}
@inline(never) func sortedByC(_ first: Int) -> [Int32] {
  var numbers: [Int32] = [3, 1, Int32(first)]
  qsort(&numbers, numbers.count, 4) { one, other in
    one!.load(as: Int32.self) - other!.load(as: Int32.self)
  }
  return numbers
}

@inline(never) func handled() -> Bool {
  signal(SIGUSR1) { number in if number != SIGUSR1 { exit(number) } }
  var action = sigaction()
  action.__sigaction_handler.sa_sigaction = { number, info, _ in if info == nil { exit(number) } }
  action.sa_flags = SA_SIGINFO
  return sigaction(SIGUSR2, &action, nil) == 0
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
let router = Router()
let store = Store("tea")
plain(router, store, name: "ada", limit: CommandLine.arguments.count + 41)
Shop(store: store, price: Price()).add(to: router)
store.add(to: router)
values(
  router, price: Price(), named: Price(name: "named"),
  kind: .sized(CommandLine.arguments.count, "k"),
  none: nil, some: store, pair: (CommandLine.arguments.count, "p"), small: 5, flag: true,
  all: ["a": 1], kindOf: Price.self)
let setCount = variables(router, store, store)
empties(
  router, limit: CommandLine.arguments.count, nothing: Nothing(), type: Int.self,
  name: CommandLine.arguments.count.description)
let base = CommandLine.arguments.count
// The optimiser makes copies of `functions` for closures that it knows.
var adders = [{ (n: Int) in n + base }]
var joiners: [(String, Int) throws -> String] = [{ "\($0)\($1 + base)" }]
if base > 100 { adders.removeAll() }
functions(router, add: adders[0], join: joiners[0], limit: 7)
twice(router, limit: CommandLine.arguments.count)
generic(router, Price(name: "generic"), [Price()], limit: CommandLine.arguments.count)
first(router, CommandLine.arguments.count)
second(router, CommandLine.arguments.count)
copied(router, "copied price", Price(), CommandLine.arguments.count)
copied(router, "copied store", store, CommandLine.arguments.count)
DispatchQueue.main.setSpecific(key: mainKey, value: true)
isolated(router, limit: CommandLine.arguments.count)
typed(router, limit: CommandLine.arguments.count)
while readLine() != nil {
  setCount(0)
  await router.ask(1)
  await router.ask(5)
  print(await inTasks(limit: base), inQueue(limit: base), sortedByC(base), "elsewhere;", handled())
  kept(router, store, limit: base + 3)
  print(lent(router, limit: 3), "lent;", Store.alive, "alive --")
}

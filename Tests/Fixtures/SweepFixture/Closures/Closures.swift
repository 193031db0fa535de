// SPDX-License-Identifier: MIT

private func apply(_ number: Int, _ body: (Int) -> Int) -> Int { body(body(number)) }
private func applyThrowing(_ body: () throws -> String) rethrows -> String { try body() + "." }
private func always(_ body: () throws -> Int) throws -> Int { try body() }
private func typedThrowing(_ body: () throws(ShelfError) -> Int) throws(ShelfError) -> Int {
  try body()
}
private func lazily(_ condition: Bool, _ value: @autoclosure () -> Int) -> Int {
  condition ? value() : 0
}
private func lazilyThrowing(_ value: @autoclosure () throws -> Int) rethrows -> Int { try value() }
private func adder(_ number: Int) -> (Int) -> Int { { $0 + number } }
private func counter() -> () -> Int {
  var count = 0
  return {
    count += 1
    return count
  }
}
private func composed(_ f: @escaping (Int) -> Int, _ g: @escaping (Int) -> Int) -> (Int) -> Int {
  { g(f($0)) }
}
private func curried(_ a: Int) -> (Int) -> (Int) -> [Int] { { b in { c in [a, b, c] } } }
private func optional(_ body: ((Int) -> Int)?) -> Int { body?(5) ?? -1 }
private func optionalResult(_ wanted: Bool) -> ((String) -> String)? { wanted ? { $0 + "!" } : nil }
private func changing(_ number: inout Int, _ body: (inout Int) -> Void) -> Int {
  body(&number)
  return number
}
private func pairs(_ body: (Int, String) -> (String, Int)) -> (String, Int) { body(1, "p") }
private func objects(_ purse: Purse, _ body: (Purse) -> Purse?) -> Bool { body(purse) === purse }
private func structs(_ body: (Point, Mixed, Sheet) -> Sheet) -> Int {
  body(Point(1, 2), Mixed(count: 1, ratio: 2, flag: true, small: 3), Sheet()).sum()
}
private func generic<T>(_ value: T, _ body: (T) -> T) -> T { body(value) }
private func floats(_ body: (Double, Float) -> Float) -> Double { Double(body(0.5, 0.25)) }
private func slices(_ body: (ArraySlice<Int>) -> ArraySlice<Int>) -> Int {
  body([1, 2, 3][1...]).startIndex
}
private func anything(_ body: (Any) -> Any) -> Any { body(Int8(3)) }
private func nested(_ body: ((Int) -> Int) -> Int) -> Int { body { $0 * 7 } }
private func sorted(_ list: [String], by areInOrder: (String, String) -> Bool) -> [String] {
  list.sorted(by: areInOrder)
}
private func variadic(_ bodies: (() -> Int)...) -> Int { bodies.reduce(0) { $0 + $1() } }
private func defaulted(_ number: Int, body: (Int) -> Int = { $0 - 1 }) -> Int { body(number) }
private func isolatedAny(_ body: @escaping @isolated(any) () -> Int) async -> Int { await body() }
private func onMain(_ body: @escaping @MainActor @Sendable (Int) -> Int) async -> Int {
  await body(2)
}
private func asynchronous(_ body: (String) async throws -> String) async throws -> String {
  try await body("s")
}
private func makeAsync(_ number: Int) -> () async -> Int {
  {
    await Task.yield()
    return number
  }
}
private func callC(_ number: Int32, _ function: @convention(c) (Int32) -> Int32) -> Int32 {
  function(number)
}
private func makeC() -> @convention(c) (Int32) -> Int32 { { $0 * 4 } }
private func curriedMethod(_ purse: Purse) -> () -> Int { purse.total }
private func escaped(_ body: (Int) -> Int) -> Int {
  withoutActuallyEscaping(body) { [$0].map { $0(3) }[0] }
}

/// Closures that are stored.
final class Switchboard {
  private let live = Live("Switchboard")
  private var lines: [String: (String) -> String] = [:]
  private var queue: [() -> Int] = []
  var onChange: ((Int, Int) -> Void)?
  func connect(_ name: String, _ body: @escaping (String) -> String) { lines[name] = body }
  func call(_ name: String, _ text: String) -> String? { lines[name]?(text) }
  func enqueue(_ body: @escaping () -> Int) -> Int {
    queue.append(body)
    return queue.count
  }
  func drain() -> [Int] {
    defer { queue = [] }
    return queue.map { $0() }
  }
  func all() -> [(String) -> String] { lines.keys.sorted().map { lines[$0]! } }
  func change(_ old: Int, _ new: Int) -> Bool {
    onChange?(old, new)
    return onChange != nil
  }
  func table() -> [String: (String) -> String] { lines }
  func handler() -> ((Int, Int) -> Void)? { onChange }
}

/// A closure in a struct and in an enum.
struct Rule {
  var name: String
  var test: (Int) -> Bool
  func passes(_ number: Int) -> Bool { test(number) }
  func negated() -> Rule { Rule(name: "not " + name) { [test] in !test($0) } }
  mutating func narrow(_ other: @escaping (Int) -> Bool) {
    let old = test
    test = { old($0) && other($0) }
  }
}

enum Action {
  case run((Int) -> Int)
  case skip
  func result(_ number: Int) -> Int? { if case .run(let body) = self { body(number) } else { nil } }
  static func twice(_ body: @escaping (Int) -> Int) -> Action { .run { body(body($0)) } }
}

func runClosures(_ say: Say) {
  var seen: [Int] = []
  let applied = apply(2) {
    seen.append($0)
    return $0 * 3
  }
  say("apply \(applied) \(seen)")
  say(
    "throwing \(applyThrowing { "t" }) \((try? applyThrowing { throw ShelfError.missing("x") }) ?? "-")"
  )
  do {
    say("always \(try always { 3 })")
    _ = try always { throw ShelfError.missing("a") }
  } catch { say("\(error)") }
  do throws(ShelfError) {
    _ = try typedThrowing { () throws(ShelfError) in throw .missing("t") }
  } catch { say("\(error)") }
  say("lazy \(lazily(true, seen.count)) \(lazily(false, 1 / seen.count)) \(lazilyThrowing(4))")
  let count = counter()
  say(
    "adder \(adder(3)(4)) \(count()) \(count()) \(composed(adder(1)) { $0 * 10 }(2)) \(curried(1)(2)(3))"
  )
  say(
    "optional \(optional { $0 }) \(optional(nil)) \(optionalResult(true)?("o") ?? "") \(optionalResult(false) == nil)"
  )
  var number = 4
  say("changing \(changing(&number) { $0 += 10 }) \(number) \(pairs { ($1 + "q", $0 + 1) })")
  let purse = Purse(cents: 6)
  say("objects \(objects(purse) { $0 }) \(objects(purse) { _ in nil }) \(curriedMethod(purse)())")
  say("structs \(structs { $2.with(a: $0.x + Int($1.count)) }) \(floats { Float($0) + $1 })")
  say(
    "generic \(generic(3) { $0 + 1 }) \(generic("g") { $0 + "h" }) \(generic(Point(1, 2)) { $0.plus($0) })"
  )
  say("slices \(slices { $0.dropFirst() }) \(described(anything { $0 })) \(nested { $0(6) })")
  say("sorted \(sorted(["b", "c", "a"]) { $0 > $1 }) \(variadic({ 1 }, { 2 })) \(variadic())")
  say("defaulted \(defaulted(3)) \(defaulted(3) { $0 * 2 }) \(escaped { $0 + 2 })")
  say("c \(callC(3) { $0 + 1 }) \(makeC()(5)) \(callC(2, makeC()))")
}

func runStoredClosures(_ say: Say) async {
  let board = Switchboard()
  board.connect("b") { $0 + "b" }
  board.connect("a") { $0.uppercased() }
  say(
    "call \(board.call("a", "x") ?? "") \(board.call("c", "x") == nil) \(board.all().map { $0("y") })"
  )
  say("queue \(board.enqueue { 4 }) \(board.enqueue { 5 }) \(board.drain()) \(board.drain())")
  say("change \(board.change(1, 2)) \(board.handler() == nil)")
  nonisolated(unsafe) var sum = 0
  board.onChange = { sum += $0 * 10 + $1 }
  say("change \(board.change(1, 2)) \(sum) \(board.table()["b"]!("z"))")
  board.handler()?(1, 1)
  board.onChange = nil
  var rule = Rule(name: "even") { $0 % 2 == 0 }
  rule.narrow { $0 > 10 }
  say(
    "rule \(rule.passes(12)) \(rule.passes(4)) \(rule.negated().passes(4)) \(rule.negated().name) \(sum)"
  )
  say(
    "action \(Action.twice { $0 * 3 }.result(2) ?? 0) \(Action.skip.result(1) == nil) \(Action.run { $0 }.result(9)!)"
  )
  say(
    "isolated \(await isolatedAny { 3 }) \(await isolatedAny { @MainActor in 4 }) \(await onMain { $0 + 1 })"
  )
  do {
    say("async \(try await asynchronous { $0 + "t" }) \(await makeAsync(8)())")
    _ = try await asynchronous { throw ShelfError.missing($0) }
  } catch { say("error \(error)") }
}

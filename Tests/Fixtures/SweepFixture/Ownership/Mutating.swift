// SPDX-License-Identifier: MIT

/// Small, and changed before it throws.
struct Counter: Equatable {
  var value = 0
  mutating func add(_ number: Int) throws {
    value += number
    if number < 0 { throw SeedError.noDays(seed: value) }
  }
  mutating func addTyped(_ number: Int) throws(SeedError) -> Int {
    value += number
    if number < 0 { throw .noDays(seed: value) }
    return value * 2
  }
  mutating func reset() -> Counter {
    defer { self = Counter() }
    return self
  }
  mutating func each(_ body: (inout Int) throws -> Void) rethrows {
    try body(&value)
    value += 1
  }
}

/// Large, with references, and changed before it throws.
struct Ledger {
  private let live = Live("Ledger")
  var names: [String] = []
  var sums: [String: Int] = [:]
  var last: Purse?
  var total = 0
  var flags: (Bool, UInt8) = (false, 0)

  mutating func post(_ name: String, _ sum: Int) throws -> Int {
    names.append(name)
    total += sum
    guard sum != 0 else { throw SeedError.noDays(seed: names.count) }
    sums[name, default: 0] += sum
    return sums[name]!
  }
  mutating func replace(with other: Ledger) -> Ledger {
    let old = self
    self = other
    return old
  }
  mutating func keep(_ purse: Purse) -> Purse? {
    defer { last = purse }
    return last
  }
  mutating func mark() async throws -> Int {
    flags = (true, 7)
    await Task.yield()
    total += 1
    if total > 100 { throw SeedError.noDays(seed: total) }
    return total
  }
  mutating func setFlags(_ flags: (Bool, UInt8)) { self.flags = flags }
}

/// A mutating method that calls others.
private struct Machine {
  var stack: [Int] = []
  mutating func push(_ number: Int) { stack.append(number) }
  mutating func pop() -> Int { stack.removeLast() }
  mutating func apply(_ operation: (Int, Int) -> Int) {
    let right = pop()
    push(operation(pop(), right))
  }
  mutating func run(_ text: String) throws -> Int {
    for word in text.split(separator: " ") {
      switch word {
      case "+": apply(+)
      case "*": apply(*)
      default:
        guard let number = Int(word) else { throw ShelfError.missing(String(word)) }
        push(number)
      }
    }
    return pop()
  }
}

func runMutating(_ say: Say) {
  var counter = Counter()
  do {
    try counter.add(5)
    try counter.add(-2)
    say("never")
  } catch { say("error \(error)") }
  do {
    say("typed \(try counter.addTyped(4))")
    _ = try counter.addTyped(-1)
  } catch {
    say("error \(error)")
  }
  counter.each { $0 *= 10 }
  say("equal \([counter].contains(Counter(value: 71)))")
  try? counter.each {
    $0 += 3
    throw SeedError.noDays(seed: 1)
  }
  say("counter \(counter) \(counter.reset()) \(counter)")

  var machine = Machine()
  say("machine \((try? machine.run("2 3 + 4 *")) ?? -1) \(machine.stack)")
  do { _ = try machine.run("8 9 x") } catch { say("error \(error) \(machine.stack)") }
}

func runLargeMutating(_ say: Say) async {
  var ledger = Ledger()
  do {
    say("post \(try ledger.post("a", 4)) \(try ledger.post("a", 5))")
    _ = try ledger.post("b", 0)
  } catch { say("error \(error)") }
  say("ledger \(ledger.names) \(ledger.sums) \(ledger.total)")
  let purse = Purse(cents: 1)
  say("keep \(ledger.keep(purse) == nil) \(ledger.keep(Purse()) === purse)")
  ledger.setFlags((true, 255))
  say("flags \(ledger.flags)")
  do {
    say("mark \(try await ledger.mark())")
    ledger.total = 100
    _ = try await ledger.mark()
  } catch { say("error \(error) \(ledger.flags) \(ledger.total)") }
  let old = ledger.replace(with: Ledger())
  let made = Ledger(names: ["n"], sums: ["n": 1], last: purse, total: 2, flags: (true, 3))
  say("made \(made.names) \(made.last === purse) \(made.flags)")
  say("old \(old.total) \(ledger.total) \(ledger.last == nil)")
}

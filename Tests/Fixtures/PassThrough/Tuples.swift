// SPDX-License-Identifier: MIT

// Labelled tuples with closures in them.

public func plainly(_ pair: (change: (Int) -> Int, number: Int)) -> Int { pair.change(pair.number) }

public func inner(_ pair: (one: (change: (Int) -> Int, name: String), number: Int)) -> String {
  pair.one.name + String(pair.one.change(pair.number))
}

public func everything(_ list: (steps: [(name: String, run: () -> Int)], start: Int)) -> Int {
  list.steps.reduce(list.start) { $0 + $1.run() }
}

public func possibly(_ pair: (run: (() -> Int)?, number: Double)) -> Double {
  Double(pair.run?() ?? 0) + pair.number
}

public func handed(_ body: ((change: (Int) -> Int, number: Int)) -> Int) -> Int {
  body((change: { $0 * 3 }, number: 5))
}

public func adder(_ number: Int) -> (add: (Int) -> Int, number: Int) { ({ $0 + number }, number) }

public func adders(_ numbers: [Int]) -> [(add: (Int) -> Int, number: Int)] { numbers.map(adder) }

public func renamed(
  _ list: inout (steps: [(name: String, run: () -> Int)], start: Int), _ name: String
) {
  list.steps.append((name, { 7 }))
}

// SPDX-License-Identifier: MIT

/// Lazy properties of a struct: their getters change it.
struct Cache {
  var base: Int
  lazy var square: Int = base * base
  lazy var text: String = "base \(base)"
  lazy var table: [Int] = Array(0..<base)
  lazy var holder: Purse = Purse(cents: base)
  private(set) var reads = 0

  init(base: Int) { self.base = base }

  var counted: Int {
    mutating get {
      reads += 1
      return reads * base
    }
  }
  var stepped: Int {
    mutating get {
      reads += 10
      return reads
    }
    set { reads = newValue }
  }
  subscript(offset: Int) -> Int {
    mutating get {
      reads += 100
      return base + offset
    }
  }
}

/// Lazy properties of a class, one with a closure that keeps nothing.
final class Kitchen {
  private let live = Live("Kitchen")
  var cooks = 0
  lazy var dish: String = cook("soup")
  lazy var menu: [String: Int] = ["soup": cooks]
  lazy var measure: (Int) -> Int = { $0 * 3 }
  private func cook(_ name: String) -> String {
    cooks += 1
    return name + "\(cooks)"
  }
}

/// Changes through a reference, in a struct that does not change.
struct Remote {
  private let target: Purse
  init(_ target: Purse) { self.target = target }
  var entries: [String] {
    get { target.history }
    nonmutating set { target.history = newValue }
  }
  var last: String? {
    get { target.history.last }
    nonmutating set { if let newValue { target.history.append(newValue) } }
  }
  subscript(index: Int) -> String {
    get { target.history[index] }
    nonmutating set { target.history[index] = newValue }
  }
}

/// Larger than four words, with a `nonmutating set` and a `mutating get`.
struct Console {
  let target: Purse
  var a = 1, b = 2, c = 3, d = 4
  var line: String {
    get { target.history.last ?? "none" }
    nonmutating set { target.history.append("\(newValue) \(a + b + c + d)") }
  }
  var bumped: Int {
    mutating get {
      d += 1
      return a + b + c + d
    }
  }
}

func runLazy(_ say: Say) {
  var cache = Cache(base: 4)
  say("lazy \(cache.square) \(cache.text) \(cache.table) \(cache.holder.total())")
  cache.base = 5
  say("kept \(cache.square) \(cache.text) \(cache.holder === cache.holder)")
  cache.square = 7
  cache.holder = Purse(cents: 8)
  say("holder \(cache.holder.total())")
  cache.table.append(99)
  cache.text += "!"
  say("set \(cache.square) \(cache.table) \(cache.text)")
  say("counted \(cache.counted) \(cache.counted) \(cache.reads)")
  cache.stepped += 1
  say("stepped \(cache.stepped) \(cache.reads) \(cache[3]) \(cache.reads)")

  let kitchen = Kitchen()
  say("dish \(kitchen.dish) \(kitchen.dish) \(kitchen.menu) \(kitchen.measure(5)) \(kitchen.cooks)")
  kitchen.menu["tea"] = 2
  kitchen.dish = "pie"
  kitchen.dish += "s"
  kitchen.measure = { $0 + 1 }
  say("menu \(kitchen.dish) \(kitchen.menu.count) \(kitchen.measure(5))")

  let purse = Purse(cents: 1)
  let remote = Remote(purse)
  say("types \(names([Remote.self]))")
  remote.entries = ["a", "b"]
  remote.entries.append("c")
  remote.last = "d"
  remote[0] = "z"
  remote[1] += "!"
  say("remote \(remote.entries) \(remote.last ?? "-") \(remote[0]) \(purse.history)")
  var console = Console(target: purse)
  console.line = "x"
  say("console \(console.line) \(console.bumped) \(console.bumped) \(console.d)")
}

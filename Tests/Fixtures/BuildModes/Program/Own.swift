// SPDX-License-Identifier: MIT

import Shelf

// The same kinds where the compiler knows everything of them, private ones too.

private struct Own {
  var five: Five
  var text = "own"
  func joined(_ other: Own) -> String { text + other.text + "\(five.a)" }
  mutating func set(_ text: String, _ kind: Kind) -> Int {
    self.text = text
    return kind.weight
  }
  static func make(_ n: Int) -> Own { Own(five: Five(n)) }
}

private enum Kind: Int {
  case light = 1
  case heavy
  var weight: Int { rawValue * 10 }
}

private protocol Visitor { func visit(_ own: Own) -> Int }

private final class Weigher: Visitor {
  var seen: [Int] = []
  func visit(_ own: Own) -> Int {
    seen.append(own.five.a)
    return seen.count
  }
}

extension Visitor {
  func visitTwice(_ own: Own) -> Int { visit(own) + visit(own) }
}

@propertyWrapper struct Clamped {
  private var value = 0
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
  var wrappedValue: Int {
    get { value }
    set { value = min(newValue, 10) }
  }
}

private struct Settings { @Clamped var level = 3 }

private final class Puppy: Animal {
  override func sound() -> String { super.sound() + ", a puppy" }
}

private func generic<Value>(_ value: Value, _ body: (Value) throws -> Int) rethrows -> Int {
  try body(value)
}

private func doubled(_ most: Int) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for n in 1...most { group.addTask { n * 2 } }
    return await group.reduce(0, +)
  }
}

@MainActor func runOwn() async {
  var own = Own.make(3)
  say("own", own.joined(own), own.set("new", .heavy), own.text)
  let weigher = Weigher()
  say("visitor", weigher.visitTwice(own), weigher.seen)
  var settings = Settings()
  settings.level = 50
  settings.level += 1
  say("settings", settings.level, Puppy(name: "P").sound())
  say("rethrows", generic(4) { $0 + 1 }, (try? generic("x") { _ in try checked(9) }) as Any)
  say("group", await doubled(3))
}

// Classes whose instances the optimizer makes where they are asked for: the functions that make them are inlined.

import Glibc

struct Refusal: Error {}

class Node {
  var number: Int
  init(_ number: Int) { self.number = number }
  func name() -> String { "node \(number)" }
}

final class Leaf: Node {
  let text: String
  init(text: String) {
    self.text = text
    super.init(text.utf8.count)
  }
  override func name() -> String { "leaf \(text)" }
}

final class Even {
  let half: Int
  init?(_ number: Int) {
    if number % 2 != 0 { return nil }
    half = number / 2
  }
}

final class Positive {
  let number: Int
  init(_ number: Int) throws {
    if number < 0 { throw Refusal() }
    self.number = number
  }
}

final class Repeated<Item> {
  let items: [Item]
  init(_ item: Item, count: Int) { items = Array(repeating: item, count: count) }
}

actor Counter {
  private(set) var number: Int
  init(later number: Int) async {
    self.number = number
    await Task.yield()
    self.number += 1
  }
}

final class Desk {
  func node(_ node: Node) -> String { node.name() }
  func even(_ even: Even?) -> Int { even?.half ?? -1 }
  func positive(_ positive: Positive?) -> Int { positive?.number ?? -1 }
  func repeated(_ repeated: Repeated<Int>) -> [Int] { repeated.items }
  func counter(_ counter: Counter) async -> Int { await counter.number }
}

func round() async {
  let desk = Desk()
  print("node", desk.node(Node(1)), desk.node(Leaf(text: "a")), terminator: "; ")
  print("even", desk.even(Even(4)), desk.even(Even(5)), terminator: "; ")
  print(
    "positive", desk.positive(try? Positive(2)), desk.positive(try? Positive(-2)), terminator: "; ")
  print("repeated", desk.repeated(Repeated(7, count: 2)), terminator: "; ")
  print("counter", await desk.counter(Counter(later: 3)), terminator: "; ")
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil {
  await round()
  print("--")
}

// SPDX-License-Identifier: MIT

/// Recursive with `indirect`.
indirect enum Expression {
  case number(Int)
  case sum(Expression, Expression)
  case product(Expression, Expression)
  case negated(Expression)

  func value() -> Int {
    switch self {
    case .number(let number): number
    case .sum(let left, let right): left.value() + right.value()
    case .product(let left, let right): left.value() * right.value()
    case .negated(let inner): -inner.value()
    }
  }
  func negating() -> Expression { .negated(self) }
  mutating func wrap(_ times: Int) { for _ in 0..<times { self = .sum(self, .number(1)) } }
  var depth: Int {
    switch self {
    case .number: 1
    case .sum(let left, let right), .product(let left, let right): max(left.depth, right.depth) + 1
    case .negated(let inner): inner.depth + 1
    }
  }
  static func parsed(_ text: String) -> Expression? { Int(text).map { .number($0) } }
}

/// Recursive through an array, without `indirect`.
enum Tree {
  case leaf(Int)
  case branch([Tree])

  func sum() -> Int {
    switch self {
    case .leaf(let number): number
    case .branch(let trees): trees.reduce(0) { $0 + $1.sum() }
    }
  }
  func grown(_ tree: Tree) -> Tree { .branch([self, tree]) }
  mutating func prune() -> [Tree] {
    guard case .branch(let trees) = self else { return [] }
    self = .leaf(sum())
    return trees
  }
}

/// A recursive enum in a generic type, and a dictionary of itself.
enum Document {
  case text(String)
  case list([Document])
  case fields([String: Document])

  func flat() -> String {
    switch self {
    case .text(let text): text
    case .list(let list): list.map { $0.flat() }.joined(separator: ",")
    case .fields(let fields):
      fields.keys.sorted().map { "\($0)=\(fields[$0]!.flat())" }.joined(separator: ";")
    }
  }
}

struct Crate<Value> {
  var document: Document
  var tree: Tree
  var value: Value

  func count() -> Int { tree.sum() + document.flat().count }
  func replacing(_ value: Value) -> Crate<Value> {
    Crate(document: document, tree: tree, value: value)
  }
  mutating func put(_ tree: Tree) { self.tree = self.tree.grown(tree) }
  func opened() -> (Document, Value) { (document, value) }
}

/// Recursive through a class and an optional.
final class Link {
  private let live = Live("Link")
  var value: Int
  var next: Link?

  init(_ value: Int, next: Link?) {
    self.value = value
    self.next = next
  }
  func sum() -> Int { value + (next?.sum() ?? 0) }
  func reversed(onto tail: Link? = nil) -> Link {
    let link = Link(value, next: tail)
    return next?.reversed(onto: link) ?? link
  }
}

private func chain(_ count: Int) -> Link? {
  count == 0 ? nil : Link(count, next: chain(count - 1))
}

func runRecursiveEnums(_ say: Say) {
  var expression = Expression.product(.number(6), .sum(.number(3), .number(4)))
  say("value \(expression.value()) \(expression.negating().value()) \(expression.depth)")
  expression.wrap(3)
  say("wrapped \(expression.value()) \(expression.depth)")
  say("parsed \(Expression.parsed("17")?.value() ?? -1) \(Expression.parsed("?") == nil)")

  var tree = Tree.leaf(1).grown(.leaf(2)).grown(.branch([.leaf(3), .branch([])]))
  say("tree \(tree.sum()) \(tree)")
  say("pruned \(tree.prune().count) \(tree) \(tree.prune().count)")

  let document = Document.fields(["a": .text("x"), "b": .list([.text("y"), .text("z")])])
  say("document \(document.flat())")
  var crate = Crate(document: document, tree: tree, value: 1.5)
  crate.put(.leaf(10))
  say(
    "crate \(crate.count()) \(crate.replacing(2).value) \(crate.opened().0.flat()) \(crate.opened().1)"
  )
  let texts = Crate(document: .text("q"), tree: .branch([]), value: "v")
  say("texts \(texts.count()) \(texts.replacing("w").opened().1)")

  let link = chain(5)
  say("chain \(link?.sum() ?? -1) \(link?.reversed().value ?? -1) \(link?.reversed().sum() ?? -1)")
}

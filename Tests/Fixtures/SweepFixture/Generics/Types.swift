// SPDX-License-Identifier: MIT

/// A generic class with a subclass that fixes its parameter.
class Stack<Element> {
  fileprivate let live = Live("Stack")
  fileprivate var elements: [Element] = []
  init() {}
  init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }
  func push(_ element: Element) { elements.append(element) }
  func pop() -> Element? { elements.popLast() }
  func peek<T>(_ body: (Element) -> T) -> T? { elements.last.map(body) }
  func merged(with other: Stack<Element>) -> Stack<Element> { Stack(elements + other.elements) }
  func zipped<T>(_ list: [T]) -> [(Element, T)] { Array(zip(elements, list)) }
  var count: Int { elements.count }
  var top: Element? {
    get { elements.last }
    set {
      elements = Array(elements.dropLast())
      if let newValue { elements.append(newValue) }
    }
  }
  subscript(index: Int) -> Element {
    get { elements[index] }
    set { elements[index] = newValue }
  }
  static func single(_ element: Element) -> Stack { Stack([element]) }
  class var title: String { "\(self)" }
}

extension Stack where Element == Int {
  func sum() -> Int { elements.reduce(0, +) }
}

extension Stack where Element: Comparable {
  func sorted() -> [Element] { elements.sorted() }
}

final class WordStack: Stack<String> {
  private var pushes = 0
  override func push(_ element: String) {
    pushes += 1
    super.push(element + "\(pushes)")
  }
  override var top: String? {
    get { super.top.map { $0.uppercased() } }
    set { super.top = newValue }
  }
}

/// A generic struct, with a layout that depends on its parameter.
struct Bag<T> {
  var items: [T] = []
  var spare: T?

  func makeIterator() -> IndexingIterator<[T]> { items.makeIterator() }
  func reversed() -> ReversedCollection<[T]> { items.reversed() }
  func pairs() -> Zip2Sequence<[T], [T]> { zip(items, items.dropFirst().map { $0 }) }
  mutating func swapSpare(_ item: T) -> T? {
    defer { spare = item }
    return spare
  }
  func spares() -> (T?, Int) { (spare, items.count) }
  func filtered(_ keep: (T) throws -> Bool) rethrows -> Bag<T> {
    Bag(items: try items.filter(keep), spare: spare)
  }
  func slice(_ range: Range<Int>) -> ArraySlice<T> { items[range] }
  func enumerated() -> EnumeratedSequence<[T]> { items.enumerated() }
  var halves: (ArraySlice<T>, ArraySlice<T>) {
    (items[..<(items.count / 2)], items[(items.count / 2)...])
  }
  static var empty: Bag<T> { Bag() }
}

extension Bag: Sequence {}

/// Two parameters and an associated type.
protocol Transformer {
  associatedtype Input
  associatedtype Output
  func transform(_ input: Input) -> Output
}

extension Transformer {
  func all(_ inputs: [Input]) -> [Output] { inputs.map(transform) }
  func then<Next: Transformer>(_ next: Next) -> Chain<Self, Next> where Next.Input == Output {
    Chain(first: self, second: next)
  }
}

struct Chain<First: Transformer, Second: Transformer>: Transformer
where First.Output == Second.Input {
  let first: First
  let second: Second
  func transform(_ input: First.Input) -> Second.Output { second.transform(first.transform(input)) }
}

private struct Doubler: Transformer {
  func transform(_ input: Int) -> Double { Double(input) * 2 }
}

private struct Printer: Transformer {
  var prefix = "="
  func transform(_ input: Double) -> String { prefix + "\(input)" }
}

/// A generic type in a generic type.
struct Outside<A> {
  var a: A
  struct Inside<B> {
    var a: A
    var b: B
    func both() -> (A, B) { (a, b) }
    func flipped() -> Outside<B>.Inside<A> { .init(a: b, b: a) }
  }
  func with<B>(_ b: B) -> Inside<B> { Inside(a: a, b: b) }
}

/// A type constrained to classes, with a weak reference.
final class Watcher<Subject: AnyObject> {
  private let live = Live("Watcher")
  weak var subject: Subject?
  init(_ subject: Subject) { self.subject = subject }
  func sees(_ other: Subject) -> Bool { subject === other }
}

func runGenericTypes(_ say: Say) {
  let stack = Stack([3, 1])
  stack.push(2)
  say("stack \(stack.sum()) \(stack.sorted()) \(stack.peek { $0 * 2 } ?? 0) \(stack.count)")
  stack.top = 9
  stack.top? += 1
  stack[0] += 5
  say(
    "top \(stack.top ?? 0) \(stack[0]) \(stack.pop() ?? 0) \(stack.merged(with: .single(6)).sum())")
  say("zipped \(stack.zipped(["a"])) \(Stack<Bool>.title) \(Stack<Point>().pop() == nil)")
  let words = WordStack()
  words.push("w")
  words.push("x")
  words[0] += "!"
  let more = WordStack(["v"])
  more.top = "y"
  say("more \(more.count) \(more.top ?? "")")
  say("words \(words.top ?? "") \(words.sorted()) \(WordStack.title) \(words.pop() ?? "")")
  let purses = Stack<Purse>.single(Purse(cents: 4))
  say("purses \(purses[0].total()) \(purses.peek { $0.total() + 1 } ?? 0)")
  let watcher = Watcher(words)
  say("watcher \(watcher.sees(words)) \(watcher.sees(WordStack()))")
  let outside = Outside(a: 1).with("b")
  say("outside \(outside.both()) \(outside.flipped().both()) \(type(of: outside.flipped()))")
  let chain = Doubler().then(Printer())
  say("chain \(chain.transform(4)) \(chain.all([1, 2])) \(type(of: chain))")
}

func runGenericLayouts(_ say: Say) {
  var bag = Bag(items: [1, 2, 3])
  say("bag \(bag.map { $0 }) \(Array(bag.reversed())) \(Array(bag.pairs()))")
  say("spare \(bag.swapSpare(7) ?? -1) \(bag.swapSpare(8) ?? -1) \(bag.spares())")
  say(
    "filtered \(bag.filtered { $0 > 1 }.items) \(bag.slice(1..<3).startIndex) \(bag.slice(1..<2))")
  say("halves \(bag.halves.0) \(bag.halves.1.startIndex) \(Array(bag.enumerated()).map(\.offset))")
  var iterator = bag.makeIterator()
  _ = iterator.next()
  say("next \(iterator.next() ?? -1)")
  let words = Bag(items: ["a", "b"], spare: "c")
  say("words \(words.map { $0 + "!" }) \(Array(words.pairs())) \(words.spares())")
  say("words \(words.filtered { $0 == "b" }.spares()) \(words.slice(1..<2)) \(words.halves)")
  say("empty \(Bag<Purse>.empty.spares()) \(Bag<Double>.empty.items)")
  let points = Bag(items: [Point(1, 2)], spare: Point(3, 4))
  say("points \(points.spares()) \(Array(points.reversed())) \(points.halves.1.count)")
}

// SPDX-License-Identifier: MIT

// Generic structs and enums of which it depends on their words how functions are told their types: what
// does not fit into registers goes by address, with its metadata. A metatype `T.Type` is a word of them.

protocol Stage<Input, Context> {
  associatedtype Input
  associatedtype Context
  func handle(_ input: Input, _ context: Context) -> String
}

protocol SharedStage<Context>: AnyObject {
  associatedtype Context
  func handle(_ context: Context) -> String
}

struct FirstStage<C>: Stage {
  func handle(_ input: Int, _ context: C) -> String { "\(input) \(context)" }
}

final class LastStage<C>: SharedStage { func handle(_ context: C) -> String { "last \(context)" } }

/// Five words.
struct Sized<T> {
  var a = 1
  var b = 2
  var c = 3
  var d = 4
  var type: T.Type
  init(_ type: T.Type) { self.type = type }
  func text(_ value: T) -> String { "\(type) \(a) \(d) \(value)" }
  mutating func count(_ value: T) -> T {
    a += 1
    return value
  }
  func later(_ value: T) async -> String { text(value) }
  func same(_ other: Sized) -> Sized { other }
}

/// Four words.
struct TwiceTyped<T, U> {
  var number = 1
  var isSet = true
  var first: T.Type
  var second: U.Type
  init(_ first: T.Type, _ second: U.Type) { (self.first, self.second) = (first, second) }
  func text(_ value: U) -> String { "\(first) \(second) \(number) \(isSet) \(value)" }
  mutating func flip(_ value: T) -> T {
    isSet.toggle()
    return value
  }
  func later(_ value: T) async throws -> (T, String) { (value, "\(self)") }
}

/// Metatypes of structs take no room where the source names the struct, and a word in what is generic.
struct TypedPair<T> {
  var pair: (T.Type, Int)
  var thin = Int.self
  var boxed: OneOf<T.Type>
  func text(_ value: T) -> String { "\(pair) \(thin) \(boxed) \(value)" }
}

/// By address: `any Stage` may hold anything.
struct StageChain<C> {
  let first: any Stage<Int, C>
  let next: @Sendable (Int) -> Int
  func respond(_ input: Int, _ context: C) -> String { first.handle(next(input), context) }
  func respondLater(_ input: Int, _ context: C) async -> String { respond(input, context) }
}

/// In registers: `any SharedStage` holds an object.
struct SharedChain<C> {
  var last: any SharedStage<C>
  var number = 3
  func respond(_ context: C) -> String { "\(number) \(last.handle(context))" }
  mutating func count() -> Int {
    number += 1
    return number
  }
}

struct Lanes<T: SharedChoice> {
  var lanes = SIMD2<Float>(1, 2)
  var types: (T.Type, Int)
  var shared: T?
  func text(_ value: T) -> String { "\(lanes) \(types) \(shared == nil) \(value.weight)" }
  func maybe(_ other: Lanes?) -> Lanes? { other }
}

struct NoWords<T> {
  func text(_ value: T) -> String { "\(T.self) \(value)" }
  var title: String { "\(T.self)" }
  subscript(value: T) -> T {
    get { value }
    set { lastNothing = "\(newValue)" }
  }
}

nonisolated(unsafe) var lastNothing = ""

enum TypedChoice<T> {
  case only(T.Type, [T], Int)
  func text(_ value: T) -> String { "\(self) \(value)" }
}

enum WideChoiceOf<T> {
  case some(T.Type, [T], Int, Int, Int)
  case none
  func text(_ value: T) -> String { "\(self) \(value)" }
  mutating func clear() { self = .none }
}

func sized(_ sized: Sized<Int>, _ number: Int) -> Sized<Int> { sized }
func typed(_ box: OneOf<Int.Type>, _ number: Int) -> Int { box.content == nil ? 0 : number }
func chained<T>(_ chain: TwiceTyped<T, Int>, _ value: T) -> [T] { chain.isSet ? [value] : [] }
func sizedLater(_ sized: Sized<String>, _ number: Int) async -> Int { sized.d + number }

private func runWordsAtOnce(_ say: Say) {
  var five = Sized(Int.self)
  say("five \(five.text(3)) \(five.count(4)) \(five.same(five).a) \(sized(five, 5).d)")
  var four = TwiceTyped(Int.self, String.self)
  say("four \(four.text("a")) \(four.flip(3)) \(four.text("b"))")
  say("more \(chained(TwiceTyped(String.self, Int.self), "c")) \(typed(OneOf(Int.self), 5))")
  let pair = TypedPair<Double>(pair: (Double.self, 3), boxed: OneOf(Double.self))
  say("pair \(pair.text(2.5))")
  var shared = SharedChain<String>(last: LastStage())
  say("shared \(shared.respond("s")) \(shared.count()) \(shared.respond("t"))")
  let chain = StageChain<String>(first: FirstStage(), next: { $0 + 1 })
  say("chain \(chain.respond(3, "a"))")
  let lanes = Lanes<SharedMore>(types: (SharedMore.self, 4))
  say("lanes \(lanes.text(SharedMore())) \(lanes.maybe(lanes)?.text(SharedMore()) ?? "")")
  var nothing = NoWords<String>()
  nothing["a"] = "b"
  say("nothing \(nothing.text("a")) \(nothing.title) \(nothing["c"]) \(lastNothing)")
  say("only \(TypedChoice<Int>.only(Int.self, [1], 2).text(3))")
  var wide = WideChoiceOf<Int>.some(Int.self, [1], 2, 3, 4)
  say("wide \(wide.text(5))")
  wide.clear()
  say("wide \(wide.text(6))")
}

func runWords(_ say: Say) async {
  runWordsAtOnce(say)
  let five = Sized(String.self)
  say("later \(await five.later("l")) \(await sizedLater(five, 3))")
  let four = TwiceTyped(String.self, Int.self)
  let answer = try? await four.later("m")
  say("later \(answer?.0 ?? "") \(answer?.1 ?? "")")
  let chain = StageChain<Int>(first: FirstStage(), next: { $0 * 2 })
  say("chain \(chain.respond(5, 6)) \(await chain.respondLater(7, 8))")
}

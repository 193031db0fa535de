// SPDX-License-Identifier: MIT

// Requirements that follow from others: no witness tables are passed for them. And extensions of protocols for
// classes only.

protocol Ware { var title: String { get } }
protocol Valued { var cost: Int { get } }
extension Int: Ware, Valued {
  var title: String { "i\(self)" }
  var cost: Int { self * 2 }
}
extension String: Ware, Valued {
  var title: String { "s" + self }
  var cost: Int { count }
}
protocol Loom {
  associatedtype Woven: Ware
  func make() -> Woven
}
protocol Mill {
  associatedtype Machine: Loom
  var machine: Machine { get }
}
struct IntLoom: Loom { func make() -> Int { 7 } }
struct TextLoom: Loom { func make() -> String { "t" } }
struct IntMill: Mill { var machine: IntLoom { IntLoom() } }

// Two that follow from each other.
protocol Hoop {
  associatedtype Next: Spoke
  var hoop: String { get }
}
protocol Spoke {
  associatedtype Back: Hoop
  var spoke: String { get }
}
struct OneHoop: Hoop {
  typealias Next = OneSpoke
  var hoop: String { "hoop" }
}
struct OneSpoke: Spoke {
  typealias Back = OneHoop
  var spoke: String { "spoke" }
}

struct Stall<T: Ware> where T: Valued {
  var content: T
  var rest = [1]
  init(_ content: T) { self.content = content }
  init<M: Loom>(
    _ loom: M, _ number: Int, _ text: String, _ change: @escaping (Int) -> Int, _ any: Any,
    _ more: Int
  ) where M.Woven == T {
    content = loom.make()
    rest = [change(number) + more, text.count, any as? Int ?? 0, content.cost]
  }
  func beside<M: Loom>(_ loom: M) -> String where T == M.Woven {
    content.title + loom.make().title + "\(content.cost)"
  }
  func deep<P: Mill>(_ mill: P) -> String where T == P.Machine.Woven {
    content.title + mill.machine.make().title + "\(content.cost)"
  }
  mutating func fill<M: Loom>(_ loom: M) where T == M.Woven { content = loom.make() }
  static func made<M: Loom>(_ loom: M) -> Stall where T == M.Woven { Stall(loom.make()) }
  func later<M: Loom>(_ loom: M) async -> String where T == M.Woven {
    await Task.yield()
    return beside(loom)
  }
  func all<C: Collection>(_ values: C) -> String where C.Element == T, C.Index: Valued {
    values.map(\.title).joined() + "\(content.cost) \(values.startIndex.cost)"
  }
}

struct TwoWares<T: Ware, U: Ware> where T: Valued {
  var first: T
  var second: U
  func same() -> String where T == U { first.title + second.title + "\(second.cost)" }
  func made<M: Loom>(_ loom: M) -> String where M.Woven == T, T == U {
    second.title + loom.make().title + "\(second.cost)"
  }
}

func spoked<R: Hoop, K: Spoke>(_ hoop: R, _ spoke: K) -> String where R.Next == K, K.Back == R {
  hoop.hoop + spoke.spoke
}

class Gear {
  var tag: String { "gear" }
  required init() {}
}
class Press: Gear, Ware, Loom {
  var force = 3
  var title: String { "press\(force)" }
  func make() -> Int { force }
}
final class BigPress: Press, Valued { var cost: Int { 9 } }
final class Lathe: Gear, Ware, Valued {
  var title: String { "lathe" }
  var cost: Int { 8 }
}
class Mould<V>: Ware {
  var form: V
  required init(_ form: V) { self.form = form }
  var title: String { "mould\(form)" }
}
final class IntMould: Mould<Int> {}

extension Ware where Self: Press {
  func pressed(_ number: Int) -> String { title + tag + "\(number)" }
  static func kind(_ number: Int) -> String { "\(Self.self)\(number)" }
  init(force: Int) {
    self.init()
    self.force = force
  }
  var dial: Int {
    get { force }
    set { force = newValue }
  }
  func valued<P: Valued>(_ other: P) -> String { title + "\(other.cost)" }
  mutating func renew(_ number: Int) -> Int {
    force += number
    if number > 1 { self = Self() }
    return force
  }
  mutating func renewLater(_ number: Int) async -> Int {
    await Task.yield()
    self = Self()
    return force + number
  }
}
extension Ware where Self: Gear {
  func geared(_ number: Int) -> String { title + tag + "\(number)" }
}
extension Ware where Self: Gear & Valued {
  func sold(_ number: Int) -> String { title + tag + "\(number + cost)" }
}
extension Ware where Self == BigPress {
  mutating func replace() { self = BigPress(force: self.force + 1) }
}
extension Ware {
  func moulded<V>(_ value: V) -> String where Self: Mould<V> { title + "\(value)" }
  mutating func remould<V>(_ value: V) -> String where Self: Mould<V> {
    self = Self(value)
    return title
  }
}

struct OneWare<T: Ware> {
  var content: T
  func press() -> String where T: Press { content.title + content.tag }
  func gear() -> String where T: Gear { content.title + content.tag }
  func mould<V>(_ value: V) -> String where T: Mould<V> { content.title + "\(value)" }
}

struct Rack<S: Sequence> where S.Element: Valued {
  var all: S
  func beside<T: Sequence>(_ other: T) -> [Int] where T.Iterator == S.Iterator {
    all.map(\.cost) + other.map(\.cost)
  }
  func first() -> String where S: Collection, S.Index: Valued {
    "\(all.startIndex.cost) \(all[all.startIndex].cost)"
  }
}
struct Twofold<C: Collection, T> where C.Element: Ware {
  var all: C
  func titles() -> String where C.Element == T { all.map(\.title).joined() }
}

func runImpliedRequirements(_ say: Say) async {
  func tell(_ values: Any...) { say(values.map { "\($0)" }.joined(separator: " ")) }
  var stall = Stall(IntLoom(), 3, "text", { $0 + 1 }, 5, 9)
  tell(
    stall.content, stall.rest, stall.beside(IntLoom()), stall.deep(IntMill()), stall.all([1, 2]))
  stall.fill(IntLoom())
  tell(Stall<String>.made(TextLoom()).content.title, await stall.later(IntLoom()))
  let pair = TwoWares(first: 1, second: 2)
  tell(pair.same(), pair.made(IntLoom()), spoked(OneHoop(), OneSpoke()))
  tell(
    Rack(all: [1, 2]).beside([3]), Rack(all: ["a"]).first(), Twofold<[Int], Int>(all: [4]).titles())
  var press = BigPress()
  let lathe = Lathe()
  tell(
    press.make(), press.pressed(1), BigPress.kind(2), BigPress(force: 4).force, press.valued("four")
  )
  press.dial = 6
  tell(press.dial, press.renew(1), press.renew(2), await press.renewLater(3), press.geared(4))
  press.replace()
  tell(press.force, press.sold(5), lathe.geared(6), lathe.sold(7))
  var mould = IntMould(4)
  tell(mould.moulded(5), mould.remould(6), mould.form)
  tell(
    OneWare(content: press).press(), OneWare(content: lathe).gear(),
    OneWare(content: mould).mould(7))
}

// SPDX-License-Identifier: MIT

import Synchronization

// A family: methods that return `Self`, of every kind, in a hierarchy, in generic classes and by a
// protocol; and in which order the objects die.
public protocol Breedable {
  func copied() -> Self
  func maybe(_ n: Int) -> Self?
  static func fresh(_ n: Int) -> Self
  init(_ n: Int)
}
public enum BreedingError: Error { case no(Int) }
open class Ancestor: Breedable, CustomStringConvertible {
  public var n: Int
  public weak var parent: Ancestor?
  public var kids: [Ancestor] = []
  public required init(_ n: Int) { self.n = n }
  open func copied() -> Self {
    let c = type(of: self).init(n)
    c.kids = kids.map { $0.copied() }
    return c
  }
  open func maybe(_ k: Int) -> Self? { k > n ? nil : copied() }
  open func orThrow(_ k: Int) throws -> Self {
    if k > n { throw BreedingError.no(k) }
    return self
  }
  open func maybeOrThrow(_ k: Int) throws -> Self? {
    if k > n { throw BreedingError.no(k) }
    return k == n ? nil : self
  }
  open func later(_ k: Int) async -> Self {
    await Task.yield()
    n += k
    return self
  }
  open func laterMaybe(_ k: Int) async throws -> Self? {
    await Task.yield()
    if k < 0 { throw BreedingError.no(k) }
    return k == 0 ? nil : copied()
  }
  open class func fresh(_ n: Int) -> Self { self.init(n) }
  open class func freshMaybe(_ n: Int) -> Self? { n < 0 ? nil : self.init(n) }
  open var twin: Self { copied() }
  open var twinMaybe: Self? { n > 3 ? copied() : nil }
  open subscript(_ k: Int) -> Self { k == 0 ? self : copied() }
  @discardableResult open func with(_ body: (Ancestor) -> Void) -> Self {
    body(self)
    return self
  }
  @discardableResult open func adding(_ kid: Ancestor) -> Self {
    kid.parent = self
    kids.append(kid)
    return self
  }
  open var description: String { "\(type(of: self))(\(n))\(kids)" }
  deinit { FamilyLog.note("deinit \(n)") }
}
open class Descendant: Ancestor {
  public var label = "branch with a label that is on the heap"
  public required init(_ n: Int) { super.init(n) }
  open override func copied() -> Self {
    let c = super.copied()
    c.label = label + "'"
    return c
  }
  open override var description: String { super.description + "<\(label.count)>" }
}
public final class Grandchild: Descendant {
  public let extra: [String]
  public required init(_ n: Int) {
    extra = (0..<max(0, n)).map { "x\($0)" }
    super.init(n)
  }
  public override func maybe(_ k: Int) -> Self? { k == 5 ? nil : super.maybe(k) }
}
open class Heap<T> {
  public var items: [T]
  public required init(_ items: [T]) { self.items = items }
  open func copied() -> Self { type(of: self).init(items) }
  open func prefix(_ k: Int) -> Self? {
    k > items.count ? nil : type(of: self).init(Array(items[..<k]))
  }
  @discardableResult open func push(_ t: T) -> Self {
    items.append(t)
    return self
  }
}
public final class NamedHeap<T>: Heap<T> {
  public var name = "a name that is long enough for the heap"
}
public struct Marker: Breedable {
  public var x = 0
  public init(_ n: Int) { x = n }
  public func copied() -> Self { self }
  public func maybe(_ n: Int) -> Self? { n > x ? nil : Marker(x - n) }
  public static func fresh(_ n: Int) -> Self { Marker(n) }
  public mutating func bump() -> Self {
    x += 1
    return self
  }
}
extension Breedable {
  public func twice() -> [Self] { [copied(), copied()] }
  public func pair() -> (Self, Self?) { (copied(), maybe(0)) }
  public func chain(_ f: (Self) -> Self) -> Self { f(f(self)) }
}
public actor Stable {
  var all: [Ancestor] = []
  public init() {}
  public func keep(_ n: sending Ancestor) -> Int {
    all.append(n)
    return all.count
  }
  public func drop() -> Int {
    defer { all = [] }
    return all.count
  }
}
public enum FamilyLog {
  nonisolated(unsafe) static var lines: [String] = []
  static let lock = Mutex(())
  public static func note(_ s: String) { lock.withLock { _ in lines.append(s) } }
  public static func take() -> [String] {
    lock.withLock { _ in
      defer { lines = [] }
      return lines
    }
  }
}
@inline(never) public func breedAny(_ c: any Breedable) -> String {
  "\(c.copied()) \(c.maybe(1) as Any) \(type(of: c).fresh(2)) \(c.twice().count)"
}
@inline(never) public func breedGeneric<C: Breedable>(_ c: C) -> String {
  "\(c.pair()) \(c.chain { $0.copied() }) \(C(3))"
}
func familyLines() async -> [String] {
  var out: [String] = []
  for make in [{ Ancestor($0) }, { Descendant($0) }, { Grandchild($0) }] as [(Int) -> Ancestor] {
    let a = make(4).adding(make(1)).adding(Grandchild(2))
    out.append("\(a) \(a.copied()) \(a.maybe(9) as Any) \(a.maybe(5) as Any) \(a.maybe(1) as Any)")
    for k in [3, 4, 9] {
      out.append("\((try? a.orThrow(k)) as Any) \((try? a.maybeOrThrow(k)) as Any)")
    }
    out.append(
      "\(await a.later(2)) \((try? await a.laterMaybe(0)) as Any) \((try? await a.laterMaybe(-1)) as Any) \((try? await a.laterMaybe(1)) as Any)"
    )
    out.append(
      "\(type(of: a).fresh(3)) \(type(of: a).freshMaybe(-3) as Any) \(a.twin) \(a.twinMaybe as Any) \(a[0]) \(a[1]) \(a.with { $0.n += 1 })"
    )
    out.append(breedAny(a))
    out.append(breedGeneric(a))
    out.append("\(a.kids.map { $0.parent === a })")
  }
  let leaf: Grandchild = Grandchild(6).copied()
  out.append("\(leaf.extra) \(leaf.label) \((leaf.maybe(2)?.extra.count) as Any)")
  let p = NamedHeap([1, 2, 3]).push(4)
  out.append("\(p.copied().name) \(p.prefix(2)?.name as Any) \(p.prefix(9) as Any) \(p.items)")
  let s = NamedHeap(["a"]).copied()
  s.push("b")
  out.append("\(s.name) \(s.items)")
  var q = Marker(3)
  out.append("\(q.bump()) \(q.maybe(9) as Any) \(breedAny(q)) \(breedGeneric(q))")
  let keeper = Stable()
  out.append(
    "\(await keeper.keep(Ancestor(7))) \(await keeper.keep(Grandchild(1))) \(await keeper.drop())")
  return out
}
public func runFamily() async -> String {
  _ = FamilyLog.take()
  let lines = await familyLines()
  return (lines + [FamilyLog.take().joined(separator: ",")]).joined(separator: "\n")
}

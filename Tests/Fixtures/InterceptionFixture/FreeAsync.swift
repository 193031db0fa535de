// SPDX-License-Identifier: MIT

// Functions that belong to no actor, with arguments in registers and on the stack.

public func freeZero() async -> Int { trail.step(0) }
public func freeNothing() async {}
public func freeOne(_ a: Int) async -> Int { trail.step(a) }
public func freeThrowing(_ a: Int) async throws -> Int {
  if a < 0 { throw IsolationRefusal() }
  return trail.step(a)
}
public func freeWaiting(_ a: Int) async -> Int {
  await Task.yield()
  return trail.step(a)
}
public func freeFour(_ a: Int, _ b: Int, _ c: Int, _ d: Int) async -> Int { trail.step(a &+ d) }
public func freeFive(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) async -> Int {
  trail.step(a &+ e)
}
public func freeSix(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int) async -> Int {
  trail.step(a &+ f)
}
public func freeSeven(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int
) async -> Int { trail.step(a &+ g) }
public func freeEight(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int
) async -> Int { trail.step(a &+ h) }
public func freeNine(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
) async -> Int { trail.step(a &+ i) }
public func freeMixed(_ a: Int, _ x: Double, _ text: String) async -> Double {
  Double(trail.step(a)) + x
}
public func freeSame<T: Sendable>(_ value: T) async -> T { value }
public func freeLarge(_ a: Int) async -> (Int, Int, Int, Int, Int) { (a, a, a, a, trail.step(a)) }

public func callTill(_ a: Int, _ till: Till) async -> Int { await till.now(a) }
public func callDesk(_ a: Int, _ desk: Desk) async -> Int { await desk.now(a) }

public func onTill(_ a: Int, _ till: isolated Till) async -> Int { trail.step(a) }
public func onTillLast(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ till: isolated Till
) async -> Int { trail.step(a &+ g) }
public func onDesk(_ a: Int, _ desk: isolated Desk) async -> Int { trail.step(a) }
public func onAny(_ a: Int, _ place: isolated any Actor) async -> Int { trail.step(a) }
public func onSome(_ a: Int, _ place: isolated (any Actor)? = #isolation) async -> Int {
  trail.step(a)
}
public func onGeneric<A: Actor>(_ a: Int, _ place: isolated A) async -> Int { trail.step(a) }

public struct Shelf: Sendable {
  public var size: Int
  public func free(_ a: Int) async -> Int { trail.step(size &+ a) }
  public nonisolated(nonsending) func near(_ a: Int) async -> Int { trail.step(size &+ a) }
  public static func fixed(_ a: Int) async -> Int { trail.step(a) }
  public init(size: Int) async { self.size = trail.step(size) }
  public var later: Int { get async { trail.step(size) } }
  public nonisolated(nonsending) var nearLater: Int { get async { trail.step(size) } }
  public subscript(index: Int) -> Int { get async { trail.step(index) } }
  @MainActor public func shown(_ a: Int) async -> Int { trail.step(a) }
}

public final class Crate: Sendable {
  public init() {}
  public func free(_ a: Int) async -> Int { trail.step(a) }
  public nonisolated(nonsending) func near(_ a: Int) async -> Int { trail.step(a) }
  public nonisolated(nonsending) func nearChain(_ a: Int) async -> Int { await near(a) }
}

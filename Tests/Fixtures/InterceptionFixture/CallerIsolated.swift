// SPDX-License-Identifier: MIT

// Functions that run where their caller does, with arguments in registers and on the stack.

nonisolated(nonsending) public func nearZero() async -> Int { trail.step(0) }
nonisolated(nonsending) public func nearNothing() async {}
nonisolated(nonsending) public func nearOne(_ a: Int) async -> Int { trail.step(a) }
nonisolated(nonsending) public func nearThrowing(_ a: Int) async throws -> Int {
  if a < 0 { throw IsolationRefusal() }
  return trail.step(a)
}
nonisolated(nonsending) public func nearWaiting(_ a: Int) async -> Int {
  await Task.yield()
  return trail.step(a)
}
nonisolated(nonsending) public func nearFour(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int
) async -> Int { trail.step(a &+ d) }
nonisolated(nonsending) public func nearFive(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int
) async -> Int { trail.step(a &+ e) }
nonisolated(nonsending) public func nearSix(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int
) async -> Int { trail.step(a &+ f) }
nonisolated(nonsending) public func nearSeven(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int
) async -> Int { trail.step(a &+ g) }
nonisolated(nonsending) public func nearEight(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int
) async -> Int { trail.step(a &+ h) }
nonisolated(nonsending) public func nearNine(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int
) async -> Int { trail.step(a &+ i) }
nonisolated(nonsending) public func nearMixed(
  _ a: Int, _ x: Double, _ text: String
) async -> Double { Double(trail.step(a)) + x }
nonisolated(nonsending) public func nearSame<T>(_ value: T) async -> T { value }
nonisolated(nonsending) public func nearLarge(_ a: Int) async -> (Int, Int, Int, Int, Int) {
  (a, a, a, a, trail.step(a))
}

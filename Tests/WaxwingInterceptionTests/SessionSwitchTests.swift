// SPDX-License-Identifier: MIT

import Dispatch
import Expectations
import InterceptionFixture
import Synchronization
import Testing
import WaxwingInterception

extension FixtureTests {
  @Suite struct SessionSwitchTests {
    let account = Account(base: 100)
    let interceptor = Interceptor()

    private func answering(_ value: Int) -> Override {
      Override { _, frame in
        frame.pointee.firstResult = value
        return true
      }
    }

    private func end(_ layers: [InstalledOverride], _ points: [InterceptionPoint]) {
      interceptor.remove(layers)
      #expect(interceptor.restore().isComplete)
      for point in points { #expect(isAtBaseline(point)) }
    }

    @Test func `a layer finds its place by rank, whenever it is installed`() throws {
      let point = try patchPoint("Account.sum")
      let session = try SessionSwitch()
      let trace = Mutex("")
      func tracing(_ name: String, rank: UInt64) throws -> InstalledOverride {
        try Override { override, frame in
          trace.withLock { $0 += name }
          override.callNext(frame)
          return true
        }.install(at: point, session, interceptor, rank: rank)
      }
      session.activate()
      var layers = [try tracing("b", rank: 20), try tracing("d", rank: 40)]
      layers += [
        try tracing("c", rank: 20), try tracing("a", rank: 10), try tracing("e", rank: 50),
      ]
      expectEqual(account.sum(1, 2), 103)
      expectEqual(trace.withLock { $0 }, "edcba")
      end(layers, [point])
    }

    /// A method as a closure calls it: `self` is where closures have their context.
    private struct Method {
      let call: (Int, Int) -> Int
    }

    @Test func `what takes over from one entry at another is not missed between the two`() throws {
      let lower = try patchPoint("Account.sum")
      // As in the vtable of a class that is made at run time. Never freed: it has a slot from here on.
      let word = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
      word.initialize(to: UnsafeMutableRawPointer(mutating: lower.function))
      let upper = InterceptionPoint(
        entry: word, function: UnsafeRawPointer(word), stackBytes: lower.stackBytes, isAsync: false)
      try interceptor.keepReplaced(upper, over: lower)
      let kept = try #require(word.pointee)
      #expect(UnsafeRawPointer(kept) != lower.function)
      let account = account
      let address = UInt(bitPattern: kept)
      let sum: @Sendable () -> Int = {
        let method = (address, Unmanaged.passUnretained(account).toOpaque())
        return unsafeBitCast(method, to: Method.self).call(1, 2)
      }
      let (below, above) = (try SessionSwitch(), try SessionSwitch())
      let layers = [
        try answering(1000).install(at: lower, below, interceptor),
        try answering(1001).install(at: upper, above, interceptor),
      ]
      expectEqual(sum(), 103)
      below.activate()
      expectEqual(sum(), 1000)
      let seen = Mutex<Set<Int>>([])
      let threads = Threads(3) {
        let results = Set((0..<100).map { _ in sum() })
        seen.withLock { $0.formUnion(results) }
      }
      // Until the threads have seen much of both.
      for _ in 0..<100_000 {
        SessionSwitch.flip(on: [above], off: [below])
        SessionSwitch.flip(on: [below], off: [above])
      }
      threads.stop()
      expectEqual(seen.withLock { $0 }, [1000, 1001])
      below.deactivate()
      end(layers, [lower])
      expectEqual(word.pointee, kept)
      expectEqual(sum(), 103)
    }

    @Test func `one store takes over from other sessions at two functions`() throws {
      let points = [try patchPoint("Account.sum"), try patchPoint("Account.countdown")]
      let wrong = Atomic(0)
      let seen = Mutex<Set<Int>>([])
      var current = try SessionSwitch()
      var layers = try points.map { try answering(1000).install(at: $0, current, interceptor) }
      current.activate()
      let account = account
      // In either order: who has seen a session at one function sees it or a later one at the other.
      let threads = Threads(3) {
        let first = account.sum(1, 2)
        let second = account.countdown(1)
        let third = account.sum(1, 2)
        if !(first <= second && second <= third) { wrong.add(1, ordering: .relaxed) }
        seen.withLock { _ = $0.insert(first) }
      }
      for round in 1...500 {
        let next = try SessionSwitch()
        let newer = try points.map {
          try answering(1000 + round).install(at: $0, next, interceptor)
        }
        SessionSwitch.flip(on: [next], off: [current])
        expectEqual(account.sum(1, 2), 1000 + round)
        #expect(current.waitUntilIdle(atMost: .seconds(60)).isEmpty)
        interceptor.remove(layers)
        (current, layers) = (next, newer)
      }
      threads.stop()
      expectEqual(wrong.load(ordering: .relaxed), 0)
      // The baseline never came through between two sessions.
      #expect(seen.withLock { seen in seen.allSatisfy { (1000...1500).contains($0) } })
      end(layers, points)
    }

    @Test func `a call knows since when it is in an override`() throws {
      let point = try patchPoint("Account.sum")
      let session = try SessionSwitch()
      let isInside = Atomic(false)
      let mayGo = Atomic(false)
      let layer = try Override { _, frame in
        isInside.store(true, ordering: .releasing)
        waitUntil("leave to go on", seen: "none") { mayGo.load(ordering: .acquiring) }
        return true
      }.install(at: point, session, interceptor)
      session.activate()
      let account = account
      let call = inThread { _ = account.sum(1, 2) }
      waitUntil("a call inside", seen: "none") { isInside.load(ordering: .acquiring) }
      let first = try #require(session.callsInFlight().first)
      #expect(first.since != nil)
      let second = try #require(session.callsInFlight().first)
      #expect(first.identity == second.identity && first.since == second.since)
      #expect(second.since.map { $0.age < .seconds(600) } == true)
      mayGo.store(true, ordering: .releasing)
      call.waitInTime()
      end([layer], [point])
    }
  }
}

// SPDX-License-Identifier: MIT

import Dispatch
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
      #expect(account.sum(1, 2) == 103)
      #expect(trace.withLock { $0 } == "edcba")
      end(layers, [point])
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
        #expect(account.sum(1, 2) == 1000 + round)
        #expect(current.waitUntilIdle(atMost: .seconds(5)).isEmpty)
        interceptor.remove(layers)
        (current, layers) = (next, newer)
      }
      threads.stop()
      #expect(wrong.load(ordering: .relaxed) == 0)
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
        while !mayGo.load(ordering: .acquiring) {}
        return true
      }.install(at: point, session, interceptor)
      session.activate()
      let account = account
      let call = inThread { _ = account.sum(1, 2) }
      while !isInside.load(ordering: .acquiring) {}
      let first = try #require(session.callsInFlight().first)
      #expect(first.since != nil)
      let second = try #require(session.callsInFlight().first)
      #expect(first.identity == second.identity && first.since == second.since)
      #expect(second.since.map { $0.age < .seconds(600) } == true)
      mayGo.store(true, ordering: .releasing)
      call.wait()
      end([layer], [point])
    }
  }
}

// SPDX-License-Identifier: MIT

import Dispatch
import Expectations
import InterceptionFixture
import Synchronization
import Testing
import WaxwingInterception

/// Installing, switching and restoring while other threads call.
extension FixtureTests {
  @Suite struct RestoreTests {
    let account = Account(base: 100)
    let interceptor = Interceptor()
    let session: SessionSwitch
    let wrong = Wrong()

    init() throws { session = try SessionSwitch() }

    /// Counts results that no legal course of events explains.
    final class Wrong: Sendable {
      private let count = Atomic(0)
      func note(unless legal: Bool) { if !legal { count.add(1, ordering: .relaxed) } }
      var total: Int { count.load(ordering: .relaxed) }
    }

    /// Adds 1000 to what the original gives.
    private func adding1000() -> Override {
      Override { override, frame in
        override.callNext(frame)
        frame.pointee.firstResult += 1000
        return true
      }
    }

    private func end(_ layers: [InstalledOverride]) {
      session.deactivate()
      expectEqual(session.waitUntilIdle(atMost: .seconds(60)), [])
      interceptor.remove(layers)
      #expect(interceptor.restore().isComplete)
    }

    @Test func `each of four threads' calls runs one body while a switch turns on and off`() throws
    {
      let point = try patchPoint("Account.sum")
      let layer = try adding1000().install(at: point, session, interceptor)
      let callers = Threads(4) { [account, wrong] in
        let result = account.sum(1, 2)
        wrong.note(unless: result == 103 || result == 1103)
      }
      for _ in 0..<5000 {
        session.activate()
        session.deactivate()
      }
      callers.stop()
      end([layer])
      #expect(isAtBaseline(point))
      expectEqual(wrong.total, 0)
    }

    @Test func `no call is in an override once its switch has been waited for`() throws {
      let inside = Atomic(0)
      let seen = Wrong()
      let point = try patchPoint("Account.sum")
      let closed = Atomic(false)
      let layer = try Override { override, frame in
        inside.add(1, ordering: .relaxed)
        seen.note(unless: !closed.load(ordering: .acquiring))
        override.callNext(frame)
        seen.note(unless: !closed.load(ordering: .acquiring))
        inside.subtract(1, ordering: .relaxed)
        return true
      }.install(at: point, session, interceptor)
      let callers = Threads(4) { [account] in _ = account.sum(1, 2) }
      for _ in 0..<500 {
        closed.store(false, ordering: .releasing)
        session.activate()
        session.deactivate()
        let left = session.waitUntilIdle(atMost: .seconds(60))
        seen.note(unless: left.isEmpty && inside.load(ordering: .relaxed) == 0)
        closed.store(true, ordering: .releasing)
      }
      callers.stop()
      end([layer])
      expectEqual(seen.total, 0)
    }

    @Test func `ten thousand sessions come and go under calls`() throws {
      let points = [try patchPoint("Account.sum"), try patchPoint("Account.difference")]
      let callers = Threads(2) { [account, wrong] in
        let sum = account.sum(1, 2)
        wrong.note(unless: sum == 103 || sum == 1103)
        let difference = account.difference(1, 2)
        wrong.note(unless: difference == 99 || difference == 1099)
      }
      for _ in 0..<10_000 {
        let session = try SessionSwitch()
        let layers = try points.map { try adding1000().install(at: $0, session, interceptor) }
        session.activate()
        session.deactivate()
        interceptor.remove(layers)
        #expect(interceptor.restore().isComplete)
      }
      callers.stop()
      let last = interceptor.restore()
      #expect(last.isComplete)
      #expect(points.allSatisfy(isAtBaseline))
      expectEqual(interceptor.reclaim(), 0)
      expectEqual(wrong.total, 0)
    }

    @Test func `an entry is written back while a call is in the override's original`() throws {
      let point = try patchPoint("Account.run")
      let entered = DispatchSemaphore(value: 0)
      let leave = DispatchSemaphore(value: 0)
      let thread = Atomic<UInt64>(0)
      let layer = try Override { override, frame in
        override.callNext(frame)
        return true
      }.install(at: point, session, interceptor)
      session.activate()
      let call = inThread { [account] in
        thread.store(CallInFlight.currentThread, ordering: .releasing)
        account.run {
          entered.signal()
          leave.waitInTime()
        }
      }
      entered.waitInTime()
      session.deactivate()
      interceptor.remove([layer])
      expectEqual(interceptor.restore().restored, [point])
      #expect(isAtBaseline(point))
      expectEqual(session.callsInFlight().map(\.thread), [thread.load(ordering: .acquiring)])
      expectEqual(session.callsInFlight().map(\.entry), [point.entry])
      expectEqual(interceptor.reclaim(), 1)
      account.run {}

      leave.signal()
      call.waitInTime()
      #expect(session.callsInFlight().isEmpty)
      expectEqual(interceptor.reclaim(), 0)
    }

    @Test func `a call that no override takes is not in flight`() throws {
      let point = try patchPoint("Account.run")
      let entered = DispatchSemaphore(value: 0)
      let leave = DispatchSemaphore(value: 0)
      let layer = try interceptor.install(at: point, session: session) { _, _ in false }
      session.activate()
      let call = inThread { [account] in
        account.run {
          entered.signal()
          leave.waitInTime()
        }
      }
      entered.waitInTime()
      interceptor.remove([layer])
      expectEqual(interceptor.reclaim(), 0)
      expectEqual(interceptor.restore().restored, [point])
      leave.signal()
      call.waitInTime()
    }

    @Test func `an original that is called after its entry was written back runs its own body`()
      throws
    {
      let point = try patchPoint("Account.sum")
      let other = try patchPoint("Account.difference")
      let lasting = try SessionSwitch()
      let watched = try adding1000().install(at: other, lasting, interceptor)
      lasting.activate()
      let layers = Mutex<[InstalledOverride]>([])
      let layer = try Override { [session, interceptor] override, frame in
        session.deactivate()
        interceptor.remove(layers.withLock { $0 })
        interceptor.restore([point])
        override.callNext(frame)
        return true
      }.install(at: point, session, interceptor)
      layers.withLock { $0 = [layer] }
      session.activate()
      expectEqual(account.sum(1, 2), 103)
      #expect(isAtBaseline(point))
      expectEqual(account.difference(1, 2), 1099)
      lasting.deactivate()
      interceptor.remove([watched])
      #expect(interceptor.restore().isComplete)
    }

    @Test func `a session that ends from inside its own override is told at once`() throws {
      let point = try patchPoint("Account.sum")
      let left = Mutex<[CallInFlight]>([])
      let busy = Atomic(0)
      let layer = try Override { [session, interceptor] override, frame in
        session.deactivate()
        left.withLock { $0 = session.waitUntilIdle(atMost: .seconds(60)) }
        interceptor.remove([])
        busy.store(interceptor.restore().overridden, ordering: .relaxed)
        override.callNext(frame)
        return true
      }.install(at: point, session, interceptor)
      session.activate()
      expectEqual(account.sum(1, 2), 103)
      expectEqual(left.withLock { $0.map(\.thread) }, [CallInFlight.currentThread])
      expectEqual(busy.load(ordering: .relaxed), 1)
      end([layer])
    }

    @Test func `a recursive function is restored under deep recursion`() throws {
      let point = try patchPoint("Account.countdown")
      let callers = Threads(2) { [account, wrong] in
        wrong.note(unless: account.countdown(200) == 100)
      }
      for _ in 0..<300 {
        let layer = try Override { override, frame in
          override.callNext(frame)
          return true
        }.install(at: point, session, interceptor)
        session.activate()
        session.deactivate()
        interceptor.remove([layer])
        interceptor.restore()
      }
      callers.stop()
      #expect(interceptor.restore().isComplete)
      #expect(isAtBaseline(point))
      expectEqual(wrong.total, 0)
    }

    /// A mark left over from a restored function would make the next overridden function on the
    /// thread run its own body. Written back without regard to calls in flight, an entry leaves one
    /// about every 8,000 times (release, two cores).
    @Test func `restoring one function never makes another one's override be skipped`() throws {
      let lasting = try SessionSwitch()
      let watched = try patchPoint("Account.difference")
      let watchedLayer = try adding1000().install(at: watched, lasting, interceptor)
      lasting.activate()
      let callers = Threads(3) { [account, wrong] in
        _ = account.sum(1, 2)
        wrong.note(unless: account.difference(1, 2) == 1099)
      }
      let point = try patchPoint("Account.sum")
      let other = Interceptor()
      #if DEBUG
        let rounds = 3000
      #else
        let rounds = 40_000
      #endif
      for _ in 0..<rounds {
        let layer = try adding1000().install(at: point, session, other)
        session.activate()
        session.deactivate()
        other.remove([layer])
        other.restore()
      }
      callers.stop()
      #expect(other.restore().isComplete)
      lasting.deactivate()
      interceptor.remove([watchedLayer])
      #expect(interceptor.restore().isComplete)
      expectEqual(wrong.total, 0)
    }
  }
}

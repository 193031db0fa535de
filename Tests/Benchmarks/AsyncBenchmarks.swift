// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkFloor
import BenchmarkTwin
import Dispatch

/// What a call of an async function costs: un-patched, patched, in plain Swift, and what its
/// coroutine costs in plain C.
///
/// `lua_resume` from C is a strict floor: it has neither a `self` nor an async call around it. A plain
/// async function that looks `self` up and resumes a coroutine in C does the same work.
enum AsyncBenchmarks {
  private typealias Call = @Sendable (_ number: Int) async -> Int

  private static let add = "function(self, a, b) return a + b end"
  private static let addOriginal = "function(self, a, b) return self:ORIGadd(a, b) end"
  private static let addReady = "function(self, a, b) return self:ready(a) + b end"
  private static let addYielded = "function(self, a, b) return coroutine.yield(a) + b end"
  private static let addBehind =
    "function(self, turnstile, a, b) turnstile:pass() return a + b end"

  /// How many calls are under way at once.
  private static let crowd = 1000

  static var all: [Measurement] { single + crowded }

  /// Calls of one task, one after the other: they take the same number of instructions each time.
  static var single: [Measurement] { immediate + ready }

  /// The function does not wait.
  private static var immediate: [Measurement] {
    let (plain, waiter) = (BenchmarkTwin.Waiter(), BenchmarkFixture.Waiter())
    let resumer = Resumer(add)
    return [
      one("plain async function") { await plain.add($0, 2) },
      one("dynamic async function, not patched", comparedTo: "plain async function") {
        await waiter.add($0, 2)
      },
      floor("lua_resume from C", add),
      one("plain async function that resumes in C") { await resumer.add($0) },
      one(
        "patched async function", comparedTo: "plain async function",
        Floor("lua_resume from C", .strict), "plain async function that resumes in C",
        patch: patch("add", add)
      ) { await waiter.add($0, 2) },
      one(
        "patched async function, original called", comparedTo: "plain async function",
        Floor("lua_resume from C", .strict), "plain async function that resumes in C",
        patch: patch("add", addOriginal)
      ) { await waiter.add($0, 2) },
    ]
  }

  /// It waits for an async function that has its answer ready.
  private static var ready: [Measurement] {
    let (plain, waiter) = (BenchmarkTwin.Waiter(), BenchmarkFixture.Waiter())
    let resumer = Resumer(addYielded)
    return [
      one("plain async function that waits once") { await plain.addReady($0, 2) },
      one("dynamic, waits once", comparedTo: "plain async function that waits once") {
        await waiter.addReady($0, 2)
      },
      floor("lua_resume from C, one yield", addYielded),
      one("plain async function, one yield in C, waits once") {
        await resumer.addReady($0, plain)
      },
      one(
        "patched, waits once", comparedTo: "plain async function that waits once",
        Floor("lua_resume from C, one yield", .strict),
        "plain async function, one yield in C, waits once", patch: patch("addReady", addReady)
      ) { await waiter.addReady($0, 2) },
    ]
  }

  /// A thousand calls, in tasks of their own, wait until the last of them has begun.
  private static var crowded: [Measurement] {
    let (plain, waiter) = (BenchmarkTwin.Waiter(), BenchmarkFixture.Waiter())
    return [
      many("plain, 1,000 in flight") { turnstile, number in
        await plain.addBehind(turnstile, number, 2)
      },
      many("dynamic, 1,000 in flight", comparedTo: "plain, 1,000 in flight") { turnstile, number in
        await waiter.addBehind(turnstile, number, 2)
      },
      many(
        "patched, 1,000 in flight", comparedTo: "plain, 1,000 in flight",
        patch: patch("addBehind", addBehind)
      ) { turnstile, number in
        await waiter.addBehind(turnstile, number, 2)
      },
    ]
  }

  private static func patch(_ method: String, _ function: String) -> String {
    """
    local waiter = class "BenchmarkFixture.Waiter"
    waiter.\(method) = \(function)
    """
  }

  /// Calls in one task, one after the other.
  private static func one(
    _ name: String, comparedTo floors: Floor..., patch: String? = nil, call: @escaping Call
  ) -> Measurement {
    var measurement = Measurement(name, comparedTo: floors, patches: patch.map { [$0] } ?? []) {
      count in
      wait {
        var sum = 0
        for number in 0..<count { sum &+= await call(number) }
        check(sum, count)
      }
    }
    // So many that the start of the task, and perhaps of its thread, do not show.
    measurement.counted = 10_000
    return measurement
  }

  /// Calls in as many tasks, a crowd at a time.
  private static func many(
    _ name: String, comparedTo floors: Floor..., patch: String? = nil,
    call: @escaping @Sendable (Turnstile, Int) async -> Int
  ) -> Measurement {
    Measurement(name, comparedTo: floors, patches: patch.map { [$0] } ?? []) { count in
      wait {
        var sum = 0
        for first in stride(from: 0, to: count, by: crowd) {
          let numbers = first..<min(first + crowd, count)
          let turnstile = Turnstile(expected: numbers.count)
          sum &+= await withTaskGroup(of: Int.self) { group in
            for number in numbers { group.addTask { await call(turnstile, number) } }
            return await group.reduce(0, &+)
          }
        }
        check(sum, count)
      }
    }
  }

  private static func floor(_ name: String, _ function: String) -> Measurement {
    guard let floor = benchmark_floor_create("return " + function, nil) else {
      preconditionFailure("the floor's Lua state could not be made")
    }
    return Measurement(name) { count in
      check(Int(benchmark_floor_resumed(floor, count)), count)
    }
  }

  /// A plain object whose async functions look it up in Lua and resume a coroutine in C.
  private final class Resumer: @unchecked Sendable {
    private let floor: OpaquePointer
    private let object: UnsafeRawPointer

    init(_ function: String) {
      let object = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))
      guard let floor = benchmark_floor_create("return " + function, object) else {
        preconditionFailure("the floor's Lua state could not be made")
      }
      self.floor = floor
      self.object = object
    }

    @inline(never)
    func add(_ number: Int) async -> Int {
      Int(benchmark_floor_resumed_once(floor, object, Int64(number)))
    }

    /// The coroutine yields a number, which an async function has ready.
    @inline(never)
    func addReady(_ number: Int, _ waiter: BenchmarkTwin.Waiter) async -> Int {
      let ready = await waiter.ready(number)
      return Int(benchmark_floor_resumed_once(floor, object, Int64(ready)))
    }
  }

  /// Runs `body` as a task, and keeps this thread until it has finished.
  private static func wait(for body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await body()
      done.signal()
    }
    done.wait()
  }

  /// A wrong result would make every time worthless.
  private static func check(_ sum: Int, _ count: Int) {
    precondition(sum == count * (count - 1) / 2 + 2 * count, "wrong sum")
  }
}

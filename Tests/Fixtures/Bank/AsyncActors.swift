// SPDX-License-Identifier: MIT

import Dispatch

/// An actor, each of whose isolated methods makes sure that it runs there.
public actor AsyncLedger {
  public private(set) var total: Int
  public private(set) var log: [String] = []
  private var depth = 0

  public init(total: Int = 0) { self.total = total }

  /// Does not wait; not async inside the actor.
  public func add(_ amount: Int) -> Int {
    preconditionIsolated()
    total += amount
    return total
  }

  /// Does not wait, and throws.
  public func take(_ amount: Int) throws -> Int {
    preconditionIsolated()
    if amount > total { throw BankError.insufficient(amount) }
    total -= amount
    return total
  }

  /// Returned by address, without waiting.
  public func record(_ number: Int) -> WideRecord {
    preconditionIsolated()
    return WideRecord(total + number)
  }

  /// Async, and does not wait.
  public func post(_ amount: Int, memo: String) async -> Int {
    preconditionIsolated()
    log.append(memo)
    total += amount
    return total
  }

  /// Waits once, and is back on the actor.
  public func settle(_ amount: Int) async -> Int {
    assertIsolated()
    await Task.yield()
    preconditionIsolated()
    total += amount
    return total
  }

  /// Waits once, and throws.
  public func pay(_ amount: Int) async throws -> Int {
    preconditionIsolated()
    await Task.yield()
    preconditionIsolated()
    if amount > total { throw BankError.insufficient(amount) }
    total -= amount
    return total
  }

  /// Returned by address, after a wait.
  public func audit(_ number: Int) async -> WideRecord {
    preconditionIsolated()
    await Task.yield()
    preconditionIsolated()
    return WideRecord(total + number)
  }

  /// While this waits, others are let in: the answer is how many were inside at once.
  public func overlaps(_ gate: AsyncGate) async -> Int {
    preconditionIsolated()
    depth += 1
    let inside = depth
    _ = await gate.pass()
    preconditionIsolated()
    depth -= 1
    return inside
  }

  /// Calls another method of its own, sync and async, on the actor all the time.
  public func batch(_ amounts: [Int]) async -> Int {
    preconditionIsolated()
    var sum = 0
    for amount in amounts {
      _ = add(amount)
      sum += await settle(0)
      preconditionIsolated()
    }
    return sum
  }

  /// Waits for another actor.
  public func move(_ amount: Int, to other: AsyncLedger) async throws -> Int {
    let left = try take(amount)
    _ = await other.add(amount)
    preconditionIsolated()
    return left
  }

  /// Not isolated, and async.
  public nonisolated func describe(_ text: String) async -> String {
    "\(text) " + String(await total)
  }

  /// Not isolated, and not async.
  public nonisolated func title(_ text: String) -> String { "ledger \(text)" }

  /// Takes a closure that runs on the actor.
  public func perform(_ body: (isolated AsyncLedger) async -> Int) async -> Int {
    await body(self)
  }

  public static func open(_ total: Int) async -> AsyncLedger { AsyncLedger(total: total) }
}

/// An actor of the program's own that is global.
@globalActor public actor AsyncVault {
  public static let shared = AsyncVault()
}

/// Runs on `AsyncVault`.
@AsyncVault public func asyncVaultSum(_ a: Int, _ b: Int) async -> Int {
  AsyncVault.shared.preconditionIsolated()
  await Task.yield()
  AsyncVault.shared.preconditionIsolated()
  return a + b
}

/// A class that belongs to `AsyncVault`.
@AsyncVault public final class AsyncSafe {
  public private(set) var content = 0
  public init() {}
  public nonisolated init(empty: Bool) {}

  /// Does not wait.
  public func put(_ amount: Int) -> Int {
    AsyncVault.shared.preconditionIsolated()
    content += amount
    return content
  }

  /// Waits.
  public func count(_ amount: Int) async -> Int {
    AsyncVault.shared.preconditionIsolated()
    await Task.yield()
    AsyncVault.shared.preconditionIsolated()
    return content + amount
  }
}

/// An actor that runs on a queue of its own.
public actor AsyncPostman {
  private let executor = AsyncQueueExecutor()
  private var delivered = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public init() {}

  /// Waits, and is on the queue before and after.
  public func deliver(_ count: Int) async -> Int {
    preconditionIsolated()
    executor.checkIsolated()
    await Task.yield()
    executor.checkIsolated()
    delivered += count
    return delivered
  }

  /// Does not wait.
  public func sort(_ count: Int) -> Int {
    executor.checkIsolated()
    return delivered * count
  }
}

/// A serial executor on a dispatch queue.
final class AsyncQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "bank.postman")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A key of tables that the engine reads and writes: it hashes and compares it.
public final class TicketKey: Hashable, CustomStringConvertible, @unchecked Sendable {
  public let number: Int
  public init(number: Int) { self.number = number }
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  public static func == (left: TicketKey, right: TicketKey) -> Bool { left.number == right.number }
  public var description: String { "ticket \(number)" }
}

/// A value of the same kind.
public struct SeatKey: Hashable, CustomStringConvertible, Sendable {
  public var row: Int
  public init(row: Int) { self.row = row }
  public func hash(into hasher: inout Hasher) { hasher.combine(row) }
  public static func == (left: SeatKey, right: SeatKey) -> Bool { left.row == right.row }
  public var description: String { "row \(row)" }
}

/// Functions that have tables with such keys cross.
public final class BoxOffice: @unchecked Sendable {
  public init() {}
  public func sell(_ tickets: [TicketKey: Int]) -> [TicketKey: Int] { tickets }
  public func seat(_ seats: Set<SeatKey>) -> Set<SeatKey> { seats }
  public func same(_ left: SeatKey, _ right: SeatKey) -> Bool { left == right }
  public func announce(_ ticket: TicketKey) -> String { "baseline" }
}

/// The program's lock, and what is done under it.
public final class VaultLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  public init() { pthread_mutex_init(mutex, nil) }
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
  public func lock() { pthread_mutex_lock(mutex) }
  public func unlock() { pthread_mutex_unlock(mutex) }
}

public final class Vault: @unchecked Sendable {
  public let guardian = VaultLock()
  public var gold = 0
  public init() {}
  /// Takes the lock and calls what takes none.
  public func put(_ amount: Int) -> Int {
    guardian.lock()
    defer { guardian.unlock() }
    gold += amount
    return weigh()
  }
  public func weigh() -> Int { gold }
  /// Takes no lock.
  public func look(_ n: Int) -> Int { n }
}

/// What a host gives the engine as its log.
public final class HostLogger: @unchecked Sendable {
  private let kept = Mutex<[String]>([])
  public init() {}
  public var lines: [String] { kept.withLock { $0 } }
  public func log(_ text: String) {
    let line = format(text)
    kept.withLock { $0.append(line) }
  }
  public func format(_ text: String) -> String { "[host] " + text }
}

/// Memory of the program's own making.
public final class Arena: @unchecked Sendable {
  public private(set) var allocated = 0
  public init() {}
  public func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    allocated += size
    return malloc(size)
  }
  public func release(_ memory: UnsafeMutableRawPointer?) { free(memory) }
}

/// Says with `errno` why it failed.
public func openNothing(_ number: Int32) -> Int32 {
  let before = errno
  errno = number
  return before
}

/// Leaves another number there.
public func scrambleErrorNumber() -> Int {
  errno = 33
  return 1
}

/// Runs a closure, and says what it left in `errno`.
public func errorNumber(after body: () -> Void) -> Int32 {
  errno = 44
  body()
  return errno
}

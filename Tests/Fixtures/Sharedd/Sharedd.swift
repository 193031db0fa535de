// SPDX-License-Identifier: MIT

import Foundation

/// A cache that its lock guards.
final class Cache: @unchecked Sendable {
  let name = "cache"
  private let lock = NSLock()
  private var items: [Int: String] = [:]

  func set(_ key: Int, _ value: String) {
    lock.lock()
    items[key] = value
    if items.count > 500 { items.removeAll() }
    lock.unlock()
  }

  func get(_ key: Int) -> String? {
    lock.lock()
    defer { lock.unlock() }
    return items[key]
  }
}

/// Orders that their actor guards.
actor Store {
  let name = "store"
  private var orders: [Int: [String]] = [:]

  func put(_ key: Int) -> Int {
    orders[key, default: []].append("order \(key)")
    if orders.count > 500 { orders.removeAll() }
    return orders.count
  }
}

/// What whoever uses it has to guard.
final class Board: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
  let title: String
  var rows: [String] = []
  var latest: any Sendable = 0
  var below: Board?

  init(_ title: String) { self.title = title }

  var description: String { "\(title): \(rows)" }
  var customMirror: Mirror { Mirror(self, children: ["rows": rows, "below": below as Any]) }

  func write(_ row: String) {
    rows.append(row)
    latest = rows
    if rows.count > 50 {
      rows.removeAll()
      below = Board(row)
    }
  }
}

/// An argument with references in it.
struct Question: CustomStringConvertible {
  let cache: Cache
  let boards: [Board]
  let byName: [String: Board]
  let any: any Sendable
  let next: @Sendable () -> Int

  var description: String { "\(cache) \(boards)" }
}

/// An error that is an object.
final class Refusal: Error, @unchecked Sendable, CustomStringConvertible {
  let board: Board

  init(_ board: Board) { self.board = board }

  var description: String { board.description }
}

final class Answers: Sendable {
  func answer(_ question: Question, _ store: Store, _ key: Int) -> Int { key + 1 }

  func boards(_ boards: [Board], _ any: any Sendable) -> Board? { boards.first }

  func refuse(_ board: Board) throws -> Int { throw Refusal(board) }
}

/// Four threads and two tasks change what they share, each as its guard demands; another one passes it on. Each line of
/// the input is answered with how often the latter did.
@main struct Sharedd {
  static let cache = Cache()
  static let store = Store()
  static let board = Board("shared")
  static let guardOfBoard = NSLock()
  static let answers = Answers()
  static let counter = Counter()

  static func main() {
    for thread in 0..<4 { Thread.detachNewThread { change(from: thread) } }
    for task in 0..<2 { Task.detached { await order(from: task) } }
    Thread.detachNewThread { ask() }
    while readLine() != nil {
      print(counter.value)
      fflush(nil)
    }
    exit(0)
  }

  private static func change(from first: Int) {
    var key = first
    while true {
      key &+= 4
      cache.set(key & 0xfff, "value \(key)")
      guardOfBoard.withLock { board.write("row \(key)") }
      if key & 0x7f == first { _ = Board("new \(key)").title }
      usleep(20)
    }
  }

  private static func order(from first: Int) async {
    var key = first
    while true {
      key &+= 2
      _ = await store.put(key & 0xfff)
      if key & 0x3f == first { try? await Task.sleep(nanoseconds: 100_000) }
    }
  }

  private static func ask() {
    while true {
      let key = counter.next()
      let question = Question(
        cache: cache, boards: [board], byName: ["board": board], any: board, next: { key })
      _ = answers.answer(question, store, key)
      _ = answers.boards([board, board], store)
      _ = cache.get(key & 0xfff)
      _ = try? answers.refuse(board)
      usleep(200)
    }
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}

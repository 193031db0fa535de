// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Not `Sendable`.
final class Draft {
  private let live = Live("Draft")
  var text: String
  init(_ text: String) { self.text = text }
}

private func sent(_ draft: sending Draft) -> String { draft.text + " sent" }
private func created(_ text: String) -> sending Draft { Draft(text) }
private func shared(_ body: @Sendable () -> Int) -> Int { body() + body() }
private func kept(_ body: @escaping @Sendable (Int) -> Int) -> @Sendable (Int) -> Int {
  { body(body($0)) }
}
private func handedOver(_ draft: sending Draft) async -> sending Draft {
  await Task.yield()
  draft.text += "+"
  return draft
}

/// Called from several threads at once.
final class Tally: Sendable {
  private let counts = Mutex<[Int: Int]>([:])
  func add(_ number: Int) -> Int {
    counts.withLock { counts in
      counts[number, default: 0] += 1
      return counts[number]!
    }
  }
  func sum() -> Int { counts.withLock { $0.reduce(0) { $0 + $1.key * $1.value } } }
  func spread(_ number: Int) -> [Int] { [number, add(number)] }
}

private func mixed(_ number: Int, _ text: String) -> String { text + "\(number &* 31)" }

private func threaded(_ tally: Tally, _ count: Int) -> [String] {
  let results = Mutex([String](repeating: "", count: count))
  DispatchQueue.concurrentPerform(iterations: count) { index in
    var text = ""
    for step in 0..<8 {
      _ = tally.add(index)
      text = mixed(step, "\(index)")
    }
    results.withLock { $0[index] = text }
  }
  return results.withLock { $0 }
}

private func children(_ tally: Tally) async -> Int {
  async let left = tally.spread(100).count
  async let right = tally.spread(200).count
  return await left + right
}

func runSending(_ say: Say) async {
  say("sent \(sent(Draft("d"))) \(created("c").text)")
  say("shared \(shared { 4 }) \(kept { $0 * 3 }(2))")
  say("handed \(await handedOver(Draft("h")).text)")
  let tally = Tally()
  say("threaded \(threaded(tally, 6)) \(tally.sum())")
  say("children \(await children(tally)) \(tally.sum())")
}

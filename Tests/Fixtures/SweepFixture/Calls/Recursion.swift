// SPDX-License-Identifier: MIT

private func fibonacci(_ number: Int) -> Int {
  number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2)
}
private func isEven(_ number: Int) -> Bool { number == 0 || isOdd(number - 1) }
private func isOdd(_ number: Int) -> Bool { number != 0 && isEven(number - 1) }
private func deep(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + deep(depth - 1) }
private func throughClosure(_ depth: Int, _ body: (Int) -> Int) -> Int {
  depth == 0 ? body(0) : throughClosure(depth - 1) { body($0 + depth) }
}
private func failing(_ depth: Int) throws -> Int {
  if depth == 0 { throw ShelfError.missing("depth") }
  do { return try failing(depth - 1) } catch { throw ShelfError.missing("\(error) at \(depth)") }
}
private func flattened(_ list: [Any]) -> [Int] {
  list.flatMap { item in (item as? [Any]).map(flattened) ?? [item as? Int ?? -1] }
}
private func permutations(_ list: [Int]) -> [[Int]] {
  guard let first = list.first else { return [[]] }
  return permutations(Array(list.dropFirst())).flatMap { rest in
    (0...rest.count).map { index in Array(rest[..<index]) + [first] + Array(rest[index...]) }
  }
}

/// Calls itself by way of others while it is being changed.
final class Reentrant {
  private let live = Live("Reentrant")
  private var depth = 0
  var log: [String] = []
  weak var peer: Reentrant?
  func enter(_ limit: Int) -> Int {
    depth += 1
    defer { depth -= 1 }
    log.append("in \(depth)")
    let result = depth < limit ? (peer ?? self).enter(limit - 1) + 1 : depth
    log.append("out \(depth)")
    return result
  }
  func visit(_ body: (Reentrant) -> Int) -> Int { body(self) + log.count }
}

func runRecursion(_ say: Say) {
  say(
    "recursion \(fibonacci(9)) \(isEven(10)) \(isOdd(10)) \(deep(40)) \(throughClosure(4) { $0 * 2 })"
  )
  do { _ = try failing(3) } catch { say("error \(error)") }
  say("lists \(flattened([1, [2, [3, []]], 4])) \(permutations([1, 2, 3]))")
  let first = Reentrant()
  let second = Reentrant()
  first.peer = second
  second.peer = first
  say("enter \(first.enter(5)) \(first.log) \(second.log) \(first.visit { $0.enter(2) })")
}

// SPDX-License-Identifier: MIT

import Glibc

// Methods of values with padding, where nothing tells what they do with `self`.

let long = "a string of more than fifteen bytes"

struct Marked {
  var isMarked: Bool
  var text: String
  func now(_ prefix: String) -> String { "\(prefix) \(isMarked) \(text)" }
  func later(_ prefix: String) async -> String {
    await Task.yield()
    return now(prefix)
  }
}

struct Counted {
  var number: Int32
  var list: [Int]
  var small: UInt8?
  var weight: Double
  func now(_ prefix: String) -> String { "\(prefix) \(number) \(list)" }
  func later(_ prefix: String) async throws -> String {
    await Task.yield()
    return "\(prefix) \(number) \(list) \(small ?? 0) \(weight)"
  }
}

enum Chosen {
  case text(Int32, String)
  case list(Bool, [Int], Int8)
  case none
  func now(_ prefix: String) -> String { "\(prefix) \(self)" }
  func later(_ prefix: String) async -> String {
    await Task.yield()
    return now(prefix)
  }
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil {
  for number in 0..<3 {
    let marked = Marked(isMarked: number == 1, text: long)
    print(marked.now("a"), await marked.later("b"))
    let counted = Counted(
      number: Int32(number * -77), list: [number], small: number == 2 ? nil : 4, weight: 2.5)
    print(counted.now("c"), try! await counted.later("d"))
  }
  for chosen in [Chosen.text(-5, long), .list(true, [1, 2], 3), .none] {
    print(chosen.now("e"), await chosen.later("f"))
  }
  print("--")
}

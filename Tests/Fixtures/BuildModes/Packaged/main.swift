// SPDX-License-Identifier: MIT

import Core
import Glibc

/// A class, so that the optimizer keeps the description.
final class Shelf {
  var parameters = Parameters()
  var pairs: Pairs<String, Int> { parameters.pairs }
  let locked = Locked(5)

  init() {
    parameters.pairs.put("a", 1)
    parameters.pairs.put("b", 2)
  }

  func answer(_ key: String) -> String { "\(parameters.get(key) ?? 0) of \(pairs.taken().count)" }
}

let shelf = Shelf()
shelf.locked.withLock { $0 += 1 }
print(shelf.pairs.get("a", as: Int.self) ?? 0)
setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil { print(shelf.answer("b"), "--") }

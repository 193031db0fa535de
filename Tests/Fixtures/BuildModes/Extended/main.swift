// SPDX-License-Identifier: MIT

import Base
import Extra
import Glibc

@_optimize(none) func kept<K: Kept>(_ type: K.Type, _ timer: Timer) -> Int { type.run(timer, 7) }
@_optimize(none) func round() -> String {
  let timer = Timer(Noted())
  let measured = "\(Timer.measure(label: "a") { 5 }) \(Timer.measure(other: "b") { "s" })"
  let before = Noted.taken
  return "\(measured) \(kept(Timer.self, timer)) \(timer.local()) \(Noted.taken - before) --"
}

setvbuf(stdout, nil, _IOLBF, 0)
while readLine() != nil { print(round()) }

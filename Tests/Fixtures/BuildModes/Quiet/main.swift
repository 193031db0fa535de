// SPDX-License-Identifier: MIT

import Core
import Glibc

func same(_ value: Two<Int>) -> Two<Int> { value }
func same(_ value: Unmade<Int>) -> Unmade<Int> { value }

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil {
  var changed = one(2)
  print(total(one(3)), total(same(two(4)), two("a text")), total(fixed()), total(nothing(), 5))
  print(
    total(same(unmade(6))), total([two(7)], (one(8), 9), one(10)), change(&changed), grown(11), "--"
  )
}

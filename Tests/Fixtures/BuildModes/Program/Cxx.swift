// SPDX-License-Identifier: MIT

#if CXX
  import Tally
  import Shelf

  func counted(_ tally: Tally, _ n: Int32) -> Int32 { tally.sum() + n }
  func added(_ tally: inout Tally, _ n: Int32) { tally.add(n) }

  func runCxx() {
    var tally = Tally()
    added(&tally, 4)
    added(&tally, 5)
    say("tally", counted(tally, 1))
  }
#endif

// SPDX-License-Identifier: MIT

import ManyPoints
import Waxwing
import WaxwingReflection

// A program of ten thousand patch points that reads its symbols once, as it does when the first patch
// comes, and is patched then. Prints the nanoseconds of both.

func nanoseconds(_ duration: Duration) -> Int64 {
  let (seconds, attoseconds) = duration.components
  return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}

let clock = ContinuousClock()
precondition(usePoints() == 2)
let start = clock.now
let program = try RunningProgram()
let attached = clock.now
precondition(program.patchPoints.count >= 10_000, "few patch points")

WaxwingEngine.setLogHandler { _ in }
let patched = clock.now
try WaxwingEngine.start(
  text: """
    local Line = class "ManyPoints.OrderLine7"
    Line.add = function(self, amount, name) return self:ORIGadd(amount, name) end
    module("ManyPoints").orderStep1 = function(n) return n end
    """, name: "first")
let live = clock.now
precondition(usePoints() == 1)
print(nanoseconds(attached - start), nanoseconds(live - patched))

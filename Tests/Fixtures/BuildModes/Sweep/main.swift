// SPDX-License-Identifier: MIT

import SweepFixture
import Synchronization

let lines = Mutex<[String]>([])
_ = readLine()
await runSweepWorkload { line in lines.withLock { $0.append(line) } }
for line in lines.withLock({ $0 }) {
  // Where types have no names, the runtime prints addresses.
  print(line.replacing(#/[0-9]{13,}/#) { _ in "ADDRESS" })
}
print("left:", liveSweepObjects())

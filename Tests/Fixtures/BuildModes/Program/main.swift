// SPDX-License-Identifier: MIT

import Shelf

_ = readLine()
await runValues()
await runObjects()
await runOwn()
#if CXX
  runCxx()
#endif

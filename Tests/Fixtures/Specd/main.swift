// SPDX-License-Identifier: MIT

import Glibc

// Applies a patch, runs the tests that it brings, and takes it back: `specd PATCH`. Without tests,
// `specd --load PATCH` only applies it and takes it back. It exits with 1 if anything fails.

var arguments = CommandLine.arguments.dropFirst()
let onlyLoads = arguments.first == "--load"
if onlyLoads { arguments.removeFirst() }
guard let path = arguments.first, arguments.count == 1 else {
  print("usage: specd [--load] PATCH")
  exit(2)
}
exit(await run(path, onlyLoads: onlyLoads) ? 0 : 1)

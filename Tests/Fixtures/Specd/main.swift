// SPDX-License-Identifier: MIT

import Glibc
import Shop
import Waxwing

// Applies a patch, runs the tests that it brings, and takes it back: `specd PATCH`. Without tests,
// `specd --load PATCH` only applies it and takes it back. It exits with 1 if anything fails.

var arguments = CommandLine.arguments.dropFirst()
let onlyLoads = arguments.first == "--load"
if onlyLoads { arguments.removeFirst() }
guard let path = arguments.first, arguments.count == 1 else {
  print("usage: specd [--load] PATCH")
  exit(2)
}

WaxwingEngine.setLogHandler { event in
  let line = Array("\(event)\n".utf8)
  _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

do {
  let session = try WaxwingEngine.start(path)
  let report = onlyLoads ? "ok loading" : await Spec().run()
  try WaxwingEngine.end(session)
  print(report)
  let left = try WaxwingEngine.liveObjects()
  for kind in left { print("not ok: \(kind) left after the end") }
  let isGood = left.isEmpty && !report.split(separator: "\n").contains { !$0.hasPrefix("ok ") }
  exit(isGood ? 0 : 1)
} catch {
  print("not ok: \(error)")
  exit(1)
}

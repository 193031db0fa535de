// SPDX-License-Identifier: MIT

import Glibc
import Waxwing

// A daemon that a patch can crash, inside its overrides and outside of them.

/// Writes a line at once.
func say(_ text: String) {
  let line = Array((text + "\n").utf8)
  _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
var policy = Policy()
policy.unsignedPatches = .allowed  // its patches are the tests' own
// On a loaded machine kept patches take longer to start than a host allows by itself.
policy.limits.bootMilliseconds = 60_000
if let index = arguments.firstIndex(of: "--healthy-after"),
  let seconds = Double(arguments[index + 1])
{
  policy.healthyAfter = .seconds(seconds)
}
if arguments.contains("--marks-stopping") {
  signal(SIGTERM, endAsWanted)
}

say("before name \(Probe().name())")
do {
  try WaxwingEngine.listen(policy: policy)
  if arguments.contains("--healthy") { try WaxwingEngine.markHealthy() }
} catch {
  say("crashd: \(error)")
  exit(1)
}
say("crashd ready (pid \(getpid()))")

let probe = Probe()
let step = AsyncStep()
var shown = ""
while true {
  let now = "value \(probe.value(7)) name \(probe.name())"
  if now != shown { say(now) }
  shown = now
  step.run(probe)
  switch probe.fate() {
  case 1: abort()
  case 2:
    usleep(700_000)
    abort()
  case 3: exit(1)
  default: usleep(10_000)
  }
}

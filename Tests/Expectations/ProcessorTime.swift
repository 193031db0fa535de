// SPDX-License-Identifier: MIT

import Glibc
package import Testing

/// Records an issue if a function takes more of a processor's time than it may. How long it takes by the clock says more
/// about what else runs.
/// - Parameters:
///   - seconds: Of the thread's own time.
///   - body: It stays on its thread.
package func expectTakes(
  atMost seconds: Double, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) rethrows {
  let begin = secondsOfThread()
  try body()
  let taken = secondsOfThread() - begin
  #expect(taken <= seconds, sourceLocation: sourceLocation)
}

private func secondsOfThread() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

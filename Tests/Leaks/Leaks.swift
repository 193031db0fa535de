// SPDX-License-Identifier: MIT

import Glibc
import LeakGate

/// The leak gate as a program of its own, for `scripts/leaks`: [CYCLES].
@main
enum Leaks {
  static func main() {
    let cycles = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1000
    let cycle = LeakCycle(throwsErrors: true)
    do {
      for number in 0..<50 { try cycle.run(number) }
      // Some 50 KB are freed blocks that malloc keeps for each size and counts as given out, and each of
      // libdispatch's threads keeps blocks of others until it has enough: a leak shows every time. The
      // sanitizer's malloc does not tell, and looks for leaks itself. The Swift runtime keeps 16 bytes
      // of each conformance that comes or goes, in an array that doubles (ProtocolConformance.cpp).
      for _ in 0..<3 where try grows(cycle, cycles) == false { exit(0) }
      exit(1)
    } catch {
      print("leak gate: \(error)")
      exit(1)
    }
  }

  private static func grows(_ cycle: LeakCycle, _ cycles: Int) throws -> Bool {
    let before = LeakCycle.heapBytes
    for number in 0..<cycles { try cycle.run(number) }
    let grown = LeakCycle.heapBytes - before
    print("\(cycles) cycles; live objects as before; \(grown) bytes of heap more")
    return grown >= cycles * 64 + (128 << 10)
  }
}

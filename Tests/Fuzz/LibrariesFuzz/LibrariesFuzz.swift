// SPDX-License-Identifier: MIT

import Foundation
import LibraryRig
import SeededRandom

/// Library functions of scripts, patterns above all, against Lua's own.
@main
enum LibrariesFuzz {
  private static let callsPerRound = 1000

  static func main() {
    let options = FuzzOptions(rounds: 1000)
    let (rounds, seed) = (options.rounds, Int(truncatingIfNeeded: options.seed))
    print("libraries: seed \(seed), \(rounds) rounds of \(callsPerRound) calls")
    do {
      let fuzz = try LibraryFuzz()
      for round in 0..<rounds { try fuzz.run(seed: seed &+ round, calls: callsPerRound) }
      print("libraries: nothing found")
    } catch {
      fail("libraries: \(error)", code: 1)
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }
}

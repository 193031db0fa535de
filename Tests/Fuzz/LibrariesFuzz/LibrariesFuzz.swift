// SPDX-License-Identifier: MIT

import Foundation
import LibraryRig

/// Library functions of scripts, patterns above all, against Lua's own.
@main
enum LibrariesFuzz {
  private static let callsPerRound = 1000

  static func main() {
    guard let (rounds, seed) = options(CommandLine.arguments.dropFirst()) else {
      fail("usage: [--rounds N] [--seed S]", code: 2)
    }
    print("libraries: seed \(seed), \(rounds) rounds of \(callsPerRound) calls")
    do {
      let fuzz = try LibraryFuzz()
      for round in 0..<rounds { try fuzz.run(seed: seed &+ round, calls: callsPerRound) }
      print("libraries: nothing found")
    } catch {
      fail("libraries: \(error)", code: 1)
    }
  }

  private static func options(_ arguments: some Sequence<String>) -> (rounds: Int, seed: Int)? {
    var rounds = 1000
    var seed = Int.random(in: 0..<1 << 32)
    var words = arguments.makeIterator()
    while let word = words.next() {
      guard let number = words.next().flatMap(Int.init) else { return nil }
      switch word {
      case "--rounds": rounds = number
      case "--seed": seed = number
      default: return nil
      }
    }
    return rounds > 0 ? (rounds, seed) : nil
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }
}

// SPDX-License-Identifier: MIT

import Glibc

/// What a fuzzer is told: `[--rounds N] [--seed S]`.
public struct FuzzOptions {
  /// How often it tries.
  public var rounds: Int
  /// What its input is made of; `TestSeed.drawn` if it is not given.
  public var seed: UInt64

  /// Reads the program's arguments. Ends the program with 2 if they are wrong.
  public init(rounds: Int) {
    self.rounds = rounds
    seed = TestSeed.drawn.value
    var words = CommandLine.arguments.dropFirst().makeIterator()
    while let word = words.next() {
      guard let number = words.next().flatMap(UInt64.init) else { Self.refuse() }
      switch word {
      case "--rounds" where number > 0: self.rounds = Int(clamping: number)
      case "--seed": seed = number
      default: Self.refuse()
      }
    }
  }

  private static func refuse() -> Never {
    print("usage: [--rounds N] [--seed S]")
    exit(2)
  }
}

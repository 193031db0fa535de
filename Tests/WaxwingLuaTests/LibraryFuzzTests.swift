// SPDX-License-Identifier: MIT

import LibraryRig
import SeededRandom
import Testing

/// A short run of what `scripts/fuzz libraries` does for as long as one likes.
@Suite struct LibraryFuzzTests {
  @Test(arguments: TestSeed.each(1...20))
  func `library functions agree with Lua's own, in results and messages`(seed: TestSeed) throws {
    try LibraryFuzz().run(seed: Int(truncatingIfNeeded: seed.value), calls: 2000)
  }
}

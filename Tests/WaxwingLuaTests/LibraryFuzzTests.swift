// SPDX-License-Identifier: MIT

import LibraryRig
import Testing

/// A short run of what `scripts/fuzz libraries` does for as long as one likes.
@Suite struct LibraryFuzzTests {
  @Test(arguments: 1...20)
  func `library functions agree with Lua's own, in results and messages`(seed: Int) throws {
    try LibraryFuzz().run(seed: seed, calls: 2000)
  }
}

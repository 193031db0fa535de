// SPDX-License-Identifier: MIT

import WaxwingPatches

/// A run's record about itself, which is written before any kept patch is started. One sector,
/// overwritten in place: this needs no room on a disk that is full.
package struct BootRecord: Hashable, Sendable {
  /// Tells runs apart; the breadcrumbs have it too.
  package var run: UInt64
  /// The how many-th start this is since one stayed up.
  package var attempt: Int
  package var generation: Int
  var build: String
  var pid: Int
  var startedAt: Int
  /// Whether the run stayed up.
  package var isHealthy = false

  package init(
    run: UInt64, attempt: Int, generation: Int, build: String, pid: Int, startedAt: Int
  ) {
    self.run = run
    self.attempt = attempt
    self.generation = generation
    self.build = build
    self.pid = pid
    self.startedAt = startedAt
  }

  /// Exactly as many bytes as a record has.
  package var bytes: [UInt8] {
    var lines = ["waxwing-boot 1", "run \(run)", "attempt \(attempt)"]
    lines += ["generation \(generation)", "build \(StoreText.escaped(String(build.prefix(80))))"]
    lines += ["pid \(pid)", "started \(startedAt)", "healthy \(isHealthy ? 1 : 0)"]
    let length = StoreText.sealed(lines).count
    lines.append(String(repeating: "-", count: max(0, StoreSizes.boot - length - 1)))
    return StoreText.sealed(lines)
  }

  /// Reads a record; nil if the bytes are none, because the system stopped while it was written.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == StoreSizes.boot, let lines = try? StoreText.lines(bytes), lines.count == 9
    else { return nil }
    let names = [
      "waxwing-boot", "run", "attempt", "generation", "build", "pid", "started", "healthy",
    ]
    for (name, words) in zip(names, lines) where words.count != 2 || words[0] != name { return nil }
    let numbers = [2, 3, 5, 6, 7].map { StoreText.count(lines[$0][1]) }
    guard let run = UInt64(lines[1][1]), let build = StoreText.unescaped(lines[4][1]),
      let attempt = numbers[0], let generation = numbers[1], let pid = numbers[2],
      let startedAt = numbers[3], let healthy = numbers[4], healthy <= 1
    else { return nil }
    self.init(
      run: run, attempt: attempt, generation: generation, build: build, pid: pid,
      startedAt: startedAt)
    isHealthy = healthy == 1
  }
}

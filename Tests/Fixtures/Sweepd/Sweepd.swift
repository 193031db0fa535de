// SPDX-License-Identifier: MIT

import Foundation
import SweepFixture
import Waxwing

// The sweep's daemon: runs the fixture's workload.
//
//     sweepd            once, with the patches that are kept, and prints what came of it
//     sweepd --serve    for each patch that comes on standard input, a line of JSON each

@main
enum Sweepd {
  @MainActor static func main() async {
    do {
      if CommandLine.arguments.contains("--serve") {
        try await serve()
      } else {
        var policy = Policy()
        policy.unsignedPatches = .allowed
        try WaxwingEngine.listen(policy: policy)
        await runSweepWorkload { say($0) }
        exit(0)
      }
    } catch {
      say("sweepd: \(error)")
      exit(1)
    }
  }

  @MainActor private static func serve() async throws {
    let sweeper = try await Sweeper()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func answer(_ value: some Encodable) throws {
      say(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
    try answer(sweeper.baseline)
    while let line = readLine() {
      alarm(60)  // ends a workload that never ends
      let command = try JSONDecoder().decode(SweepCommand.self, from: Data(line.utf8))
      try answer(await sweeper.sweep(command))
    }
  }
}

/// Writes a line at once.
private func say(_ text: String) {
  let line = Array((text + "\n").utf8)
  line.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(1, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count <= 0 { exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}

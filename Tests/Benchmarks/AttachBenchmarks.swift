// SPDX-License-Identifier: MIT

import Foundation

/// What it takes to read the symbols of a program with ten thousand patch points, and to patch it for
/// the first time. Both come once in a process: each round is another one.
enum AttachBenchmarks {
  static func run(
    _ rounds: Int, row: (_ name: String, _ value: String, _ remark: String) -> Void
  ) throws {
    print()
    row("a program with 10,000 patch points", "ms", "")
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("WaxwingBenchmarksAttach")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      return row("its symbols read", "-", "build the product WaxwingBenchmarksAttach")
    }
    var times: [[Double]] = [[], []]
    for _ in 0..<max(3, rounds) {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = program
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let found = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      precondition(found.count == times.count, "the program said '\(output)'")
      for index in times.indices { times[index].append(found[index] / 1e6) }
    }
    for (name, times) in zip(["its symbols read", "its first patch, these included"], times) {
      row(name, Benchmarks.format(times.median), "best \(Benchmarks.format(times.least))")
    }
  }
}

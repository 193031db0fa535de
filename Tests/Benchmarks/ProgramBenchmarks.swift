// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkTwin
import Foundation

/// What a program pays that could be patched, and is not.
enum ProgramBenchmarks {
  static func run(
    _ rounds: Int, row: (_ name: String, _ value: String, _ remark: String) -> Void
  ) throws {
    print()
    row("programs that are not patched", "ns", "ratio")
    compare(
      "a parser of Markdown, dynamic", "a parser of Markdown, compiled as ever", rounds, row,
      BenchmarkFixture.runMarkdownParser, BenchmarkTwin.runMarkdownParser)
    try withoutWaxwing(rounds, row)
  }

  private static func compare(
    _ name: String, _ floorName: String, _ rounds: Int,
    _ row: (_ name: String, _ value: String, _ remark: String) -> Void,
    _ body: () -> String, _ floor: () -> String
  ) {
    precondition(body() == floor(), "two results")
    var times: [Double] = []
    var floors: [Double] = []
    for _ in 0..<(rounds * 10) {
      times.append(ContinuousClock().measure { for _ in 0..<20 { _ = body() } }.nanoseconds / 20)
      floors.append(ContinuousClock().measure { for _ in 0..<20 { _ = floor() } }.nanoseconds / 20)
    }
    row(floorName, Benchmarks.format(floors.median), "")
    row(
      name, Benchmarks.format(times.median),
      "\(Benchmarks.format(zip(times, floors).map(/).median)) (best "
        + "\(Benchmarks.format(times.least / floors.least)))")
  }

  /// A dynamic call here, where its look-up is ours, and in a program that does not link the engine.
  private static func withoutWaxwing(
    _ rounds: Int, _ row: (_ name: String, _ value: String, _ remark: String) -> Void
  ) throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("WaxwingBenchmarksWithout")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      row("a dynamic call without Waxwing", "-", "build the product WaxwingBenchmarksWithout")
      return
    }
    var times: [Double] = []
    var floors: [Double] = []
    for _ in 0..<max(3, rounds) {
      times.append(DynamicCall.time())
      let process = Process()
      let pipe = Pipe()
      process.executableURL = program
      process.standardOutput = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard let time = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        preconditionFailure("the program without Waxwing said '\(output)'")
      }
      floors.append(time)
    }
    row("a dynamic call without Waxwing", Benchmarks.format(floors.median), "")
    row(
      "a dynamic call with Waxwing linked", Benchmarks.format(times.median),
      "\(Benchmarks.format(zip(times, floors).map(/).median)) (best "
        + "\(Benchmarks.format(times.least / floors.least)))")
  }
}

// SPDX-License-Identifier: MIT

import BenchmarkFixture
import BenchmarkTwin
import Foundation

/// What a program pays that could be patched, and is not.
enum ProgramBenchmarks {
  static func run(_ report: Report) throws {
    let (dynamic, plain) = parsers(report.rounds)
    let here = try withoutWaxwing(report.rounds)
    report.begin("Programs that are not patched", "ns")
    let parser = "a parser of Markdown, compiled as ever"
    report.add(parser, plain)
    report.add(
      "a parser of Markdown, dynamic", dynamic,
      comparedTo: [.init(floor: Floor(parser), values: plain)])
    let call = "a dynamic call without Waxwing"
    guard let here else {
      report.leaveOut(call, because: "build the product WaxwingBenchmarksWithout")
      return
    }
    report.add(call, here.without)
    report.add(
      "a dynamic call with Waxwing linked", here.with,
      comparedTo: [.init(floor: Floor(call), values: here.without)])
  }

  private static func parsers(_ rounds: Int) -> (dynamic: [Double], plain: [Double]) {
    let (dynamic, plain) = (BenchmarkFixture.runMarkdownParser, BenchmarkTwin.runMarkdownParser)
    precondition(dynamic() == plain(), "two results")
    func time(_ body: () -> String) -> Double {
      ContinuousClock().measure { for _ in 0..<20 { _ = body() } }.nanoseconds / 20
    }
    var times: (dynamic: [Double], plain: [Double]) = ([], [])
    for _ in 0..<(rounds * 10) {
      times.dynamic.append(time(dynamic))
      times.plain.append(time(plain))
    }
    return times
  }

  /// A dynamic call here, where its look-up is ours, and in a program that does not link the engine.
  /// - Returns: nil if there is no such program.
  private static func withoutWaxwing(_ rounds: Int) throws -> (with: [Double], without: [Double])? {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("WaxwingBenchmarksWithout")
    guard FileManager.default.isExecutableFile(atPath: program.path) else { return nil }
    var times: (with: [Double], without: [Double]) = ([], [])
    for _ in 0..<rounds {
      times.with.append(DynamicCall.time())
      let output = try ChildProcess.output(of: program.path)
      guard let time = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        preconditionFailure("the program without Waxwing said '\(output)'")
      }
      times.without.append(time)
    }
    return times
  }
}

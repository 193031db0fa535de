// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Foundation
import Glibc
import Waxwing
import WaxwingTestSupport

/// What a call costs that `waxwing trace --summary` counts: the tool runs beside this process, as an operator has it.
enum TraceBenchmarks {
  private static let selector = "BenchmarkFixture.Calculator.add(_:_:)"

  static func run(_ report: Report) throws {
    guard let waxwing = try? BuiltProduct("waxwing") else {
      report.begin("Traces", "ns")
      report.leaveOut("calls that are counted", because: "build the product waxwing")
      return
    }
    let directory = try TemporaryDirectory()
    let socket = try WaxwingEngine.listen(socket: directory.path + "/benchmarks.sock")
    defer { WaxwingEngine.stopListening() }
    var plain: [Double] = []
    var counted: [Double] = []
    // The first round warms up.
    for round in 0...report.rounds {
      let without = time()
      let with = try traced(waxwing.path, socket)
      if round == 0 { continue }
      plain.append(without)
      counted.append(with)
    }
    report.begin("Traces", "ns")
    let name = "dynamic function, not traced"
    report.add(name, plain)
    report.add(
      "counted by `trace --summary`", counted,
      comparedTo: [.init(floor: Floor(name), values: plain)])
    report.add("a counted call, less the call itself", zip(counted, plain).map { $0 - $1 })
  }

  private static func traced(_ waxwing: String, _ socket: String) throws -> Double {
    let trace = try Command(
      "/bin/sh",
      ["-c", "exec \"$0\" trace --summary --socket \"$1\" \"$2\" 2>&1", waxwing, socket, selector]
    ).start()
    _ = try trace.waitForLine(startingWith: "waxwing: tracing 1 function")
    let time = time()
    trace.send(signal: SIGINT)
    _ = try trace.waitForExit()
    guard trace.standardOutput.contains(selector) else {
      throw TestSupportError("nothing was counted: \(trace.standardOutput)")
    }
    return time
  }

  /// Nanoseconds of a call.
  private static func time() -> Double {
    let calculator = BenchmarkFixture.Calculator()
    let count = Measurement.scaled(200_000)
    let clock = ContinuousClock()
    var sum = 0
    let time = clock.measure {
      for i in 0..<count { sum &+= calculator.add(i, 2) }
    }
    precondition(sum == count * (count + 3) / 2, "a wrong sum")
    return time.nanoseconds / Double(count)
  }
}

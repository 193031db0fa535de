// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Waxwing

/// What it takes to apply a patch with classes, to list it and to end it, for each of its classes: with
/// ten times as many it is the same, beside each other or each below the one before.
struct ClassEndBenchmarks {
  private enum Step: String, CaseIterable {
    case apply, list, end
  }

  private let classes: Int
  /// Whether each is the superclass of the next.
  private let isLine: Bool
  private var times: [Step: [Double]] = [:]

  private init(classes: Int, isLine: Bool) {
    self.classes = classes
    self.isLine = isLine
  }

  static func run(_ report: Report) throws {
    report.begin("One class of a patch", "µs")
    for isLine in [false, true] { try run(report, isLine: isLine) }
  }

  private static func run(_ report: Report, isLine: Bool) throws {
    var few = ClassEndBenchmarks(classes: 100, isLine: isLine)
    var many = ClassEndBenchmarks(classes: 1000, isLine: isLine)
    // The first round makes the classes, which stay.
    for round in 0...report.rounds {
      try few.round(isKept: round > 0)
      try many.round(isKept: round > 0)
    }
    for step in Step.allCases {
      report.add(few.name(of: step), few.times[step, default: []], .microseconds)
      report.add(
        many.name(of: step), many.times[step, default: []], .microseconds,
        comparedTo: [
          .init(floor: Floor(few.name(of: step)), values: few.times[step, default: []])
        ])
    }
  }

  private func name(of step: Step) -> String {
    "\(step.rawValue), 1 of \(classes) classes" + (isLine ? " in a line" : "")
  }

  private mutating func round(isKept: Bool) throws {
    let text = text
    try measure(.apply, isKept) { try WaxwingEngine.start(text: text, name: "classes") }
    try measure(.list, isKept) { try WaxwingEngine.list() }
    let restoration = try measure(.end, isKept) { try WaxwingEngine.restore() }
    precondition(restoration.isComplete, "not restored")
  }

  @discardableResult
  private mutating func measure<Result>(
    _ step: Step, _ isKept: Bool, _ body: () throws -> Result
  ) throws -> Result {
    var result: Result?
    let time = try ContinuousClock().measure { result = try body() }
    if isKept { times[step, default: []].append(time.nanoseconds / 1000 / Double(classes)) }
    guard let result else { preconditionFailure("nothing was measured") }
    return result
  }

  /// The first hundred are the same in both patches: a process makes a limited number of classes.
  private var text: String {
    """
    local Meter = class "BenchmarkFixture.Meter"
    local above = Meter
    for i = 1, \(classes) do
      local Made = class("\(isLine ? "Line" : "Made")" .. i, above)
      function Made:add(a, b) return a + b + i end
      above = \(isLine ? "Made" : "Meter")
    end
    """
  }
}

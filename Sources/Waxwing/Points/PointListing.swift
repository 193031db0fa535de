// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingDeclarations
import WaxwingPatches
import WaxwingReflection

extension PatchQueries {
  /// The largest number of points in a response, which fit a frame with much to spare.
  static let mostPoints = 1000

  /// The patch points whose selectors contain a text, each with the reason why a patch could not
  /// override it here.
  /// - Parameters:
  ///   - first: The number of points that earlier requests returned.
  ///   - most: The largest number of points in the page.
  ///   - limit: If more points match, none is examined: the page is empty and has a next one.
  func points(
    matching pattern: String?, from first: Int, most: Int = mostPoints,
    unlessMoreThan limit: Int = .max
  ) throws -> PointPage {
    try engine.patchability.demandKnownABI()
    // Nobody waits while names are made: the program's functions are whoever asks for them.
    let program = try currentProgram()
    let functions = PointDescriber.points(of: program).filter {
      PointEntry.selector($0.description.selector, matches: pattern)
    }
    let others = PointDescriber.unusable(in: program).filter {
      PointEntry.selector($0.selector, matches: pattern)
    }
    let total = functions.count + others.count
    let start = min(max(first, 0), total)
    let range = start..<(total > limit ? start : start + min(most, total - start))
    let protection = try PointProtection(engine)
    let points = range.map { index in
      index < functions.count
        ? PointEntry(functions[index].checked(in: program), protection)
        : PointEntry(others[index - functions.count], protection)
    }
    return PointPage(
      program: program.name, buildID: program.buildID, points: points,
      next: range.upperBound < total ? range.upperBound : nil,
      failure: engine.patchability.failure?.text)
  }

  /// `did you mean 'withdraw'? ` for a part that no selector has; nothing if none is near.
  func question(forPart pattern: String) -> String {
    let points = (try? currentProgram()).map(PointDescriber.points(of:)) ?? []
    let question = NearestNames.question(
      forPart: pattern, ofSelectors: points.map(\.description.selector))
    return question.map { "\($0) " } ?? ""
  }
}

/// The functions that no patch may override here, even if it is signed.
struct PointProtection {
  private let rules: [SelectorRules]

  /// - Throws: `WaxwingError` if a rule of the program's policy cannot be understood.
  init(_ engine: Engine) throws {
    rules = [try engine.policy.protection(), engine.host.contents.rules]
  }

  /// Creates a protection without rules.
  init() {
    rules = []
  }

  func reason(against selector: String) -> String? {
    rules.lazy.compactMap { $0.reason(against: selector, signer: nil) }.first
  }
}

extension PointEntry {
  init(_ point: PointDescription, _ protection: PointProtection) {
    self.init(
      point, refusal: point.refusal ?? protection.reason(against: point.plainSelector))
  }
}

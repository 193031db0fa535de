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

  /// The functions that a request means.
  enum ListedKinds {
    /// Patch points.
    case functions
    /// Closures.
    case closures
    /// Functions without replacement entries.
    case code
    /// Patch points, and closures too if the text may be a part of their names; where there are none of the name and code
    /// may be rewritten, functions without replacement entries.
    case allWithName
  }

  /// The patch points, or closures, whose selectors contain a text, each with the reason why a patch could not
  /// override it here.
  /// - Parameters:
  ///   - first: The number of points that earlier requests returned.
  ///   - most: The largest number of points in the page.
  ///   - limit: If more points match, none is examined: the page is empty and has a next one.
  func points(
    _ kinds: ListedKinds = .functions, matching pattern: String?, from first: Int,
    most: Int = mostPoints, unlessMoreThan limit: Int = .max
  ) throws -> PointPage {
    try engine.patchability.demandKnownABI()
    // Nobody waits while names are made: the program's functions are whoever asks for them.
    let program = try currentProgram()
    var found = listing.points(of: program, kinds, matching: pattern, isFirstPage: first <= 0)
    if kinds == .allWithName, found.isEmpty, engine.policy.codeEntries == .allowed {
      found = listing.points(of: program, .code, matching: pattern, isFirstPage: first <= 0)
    }
    let total = found.count
    let start = min(max(first, 0), total)
    let range = start..<(total > limit ? start : start + min(most, total - start))
    if range.upperBound == total || total > limit { listing.forget() }
    let protection = try PointProtection(engine)
    return PointPage(
      program: program.name, buildID: program.buildID,
      points: checked(range.map { found[$0] }, in: program).map { PointEntry($0, protection) },
      next: range.upperBound < total ? range.upperBound : nil,
      failure: engine.patchability.failure?.text, kind: kinds.pageKind)
  }

  /// The descriptions with what has been found out by looking.
  private func checked(
    _ points: [ListedPoint], in program: RunningProgram
  ) -> [PointDescription] {
    let codes = points.compactMap(\.code)
    PointDescriber.prepare(points.compactMap(\.closure), in: program)
    let found =
      codes.isEmpty
      ? points.map { $0.checked(in: program) }
      : PointDescriber.checked(codes[...], in: program)
    guard engine.policy.codeEntries == .refused else { return found }
    return found.indices.map { index in
      var point = found[index]
      if point.isRewritten, point.refusal == nil {
        point.refusal =
          codes.isEmpty
          ? MissingEntry.codeIsNotRewritten(isClosure: point.isClosure)
          : MissingEntry.codeIsNotRewritten(codes[index].function, in: program)
      }
      return point
    }
  }

  /// `did you mean 'withdraw'? ` for a part that no selector has; nothing if none is near.
  func question(forPart pattern: String) -> String {
    let points =
      (try? currentProgram()).map { program in
        ListedPoints(of: program, ClosureNames.mayBePart(pattern) ? .closures : .functions)
      }
    let question = NearestNames.question(
      forPart: pattern, ofSelectors: points?.selectors ?? [])
    return question.map { "\($0) " } ?? ""
  }
}

extension PatchQueries.ListedKinds {
  init(_ kind: PointPage.Kind?) {
    self =
      switch kind {
      case .closures: .closures
      case .code: .code
      case .patchPoints, nil: .functions
      }
  }

  fileprivate var pageKind: PointPage.Kind? {
    switch self {
    case .closures: .closures
    case .code: .code
    case .functions, .allWithName: nil
    }
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

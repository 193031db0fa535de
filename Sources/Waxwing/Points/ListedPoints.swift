// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingControl
import WaxwingReflection

/// A function of the running program that a list may show.
enum ListedPoint {
  case function(PointDescriber.RunningPoint)
  case closure(PointDescriber.RunningClosure)
  case code(PointDescriber.RunningPoint)
  case unusable(PointDescription)

  var description: PointDescription {
    switch self {
    case .function(let point): point.description
    case .closure(let closure): closure.description
    case .code(let point): point.description
    case .unusable(let description): description
    }
  }

  /// The function, if it has no replacement entry.
  var code: PointDescriber.RunningPoint? { if case .code(let point) = self { point } else { nil } }

  /// The closure, if it is one.
  var closure: PointDescriber.RunningClosure? {
    if case .closure(let closure) = self { closure } else { nil }
  }

  func checked(in program: RunningProgram) -> PointDescription {
    switch self {
    case .function(let point): point.checked(in: program)
    case .closure(let closure): closure.checked(in: program)
    case .code(let point): point.description
    case .unusable(let description): description
    }
  }
}

/// The functions of the running program that a list shows, in its order.
struct ListedPoints: Sendable {
  /// Those that are described when they are asked for. They come first.
  private let functions: RunningPoints?
  private let others: [ListedPoint]
  /// The places of those that match a pattern; nil: all do.
  private var places: [Int]?

  init(
    of program: RunningProgram, _ kinds: PatchQueries.ListedKinds, matching pattern: String? = nil
  ) {
    let listsClosures =
      kinds == .closures
      || kinds == .allWithName && pattern.map(ClosureNames.mayBePart) == true
    let closures =
      listsClosures ? PointDescriber.closures(of: program).map(ListedPoint.closure) : []
    switch kinds {
    case .code:
      (functions, others) = (nil, PointDescriber.codePoints(of: program).map(ListedPoint.code))
    case .closures:
      (functions, others) = (nil, closures)
    case .functions, .allWithName:
      functions = RunningPoints(of: program)
      others = PointDescriber.unusable(in: program).map(ListedPoint.unusable) + closures
    }
    guard let pattern, !pattern.isEmpty else { return }
    let wanted = SelectorPart(pattern)
    places = (0..<whole).filter { wanted.isPart(of: selector(at: $0)) }
  }

  /// How many functions were described in this process so far.
  static var descriptions: Int { RunningPoints.descriptions }

  var isEmpty: Bool { count == 0 }
  var count: Int { places?.count ?? whole }

  subscript(place: Int) -> ListedPoint { point(at: places?[place] ?? place) }

  /// The selectors of all.
  var selectors: [String] { (0..<count).map { selector(at: places?[$0] ?? $0) } }

  private var whole: Int { (functions?.indices.count ?? 0) + others.count }

  private func point(at place: Int) -> ListedPoint {
    guard let functions, place < functions.indices.count else {
      return others[place - (functions?.indices.count ?? 0)]
    }
    return .function(functions[place])
  }

  private func selector(at place: Int) -> String {
    guard let functions, place < functions.indices.count else {
      return others[place - (functions?.indices.count ?? 0)].description.selector
    }
    return functions.selector(of: place)
  }
}

// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// What a call may mean.
protocol RankedCandidate {
  var declaration: FunctionDeclaration { get }
}

/// Which of several fits of a call are best.
enum OverloadRanking {
  typealias Ranked<Candidate> = (candidate: Candidate, fit: OverloadCandidate.Fit)

  /// One candidate, or several if none of them is better than the others.
  static func best<Candidate: RankedCandidate>(_ fitting: [Ranked<Candidate>]) -> [Candidate] {
    if fitting.count < 2 { return fitting.map(\.candidate) }
    let undominated = fitting.filter { one in
      !fitting.contains { isBetter($0.fit.costs, one.fit.costs) }
    }
    guard let first = undominated.first,
      undominated.allSatisfy({ $0.fit.costs == first.fit.costs })
    else { return undominated.map(\.candidate) }
    let least = undominated.map(\.fit.tieBreakers).min {
      $0.lexicographicallyPrecedes($1)
    }
    let equal = undominated.filter { $0.fit.tieBreakers == least }.map(\.candidate)
    return equal.filter { one in !equal.contains { isMoreSpecific($0, one) } }
  }

  /// Of generic functions with the same parameters, the one that requires all that the other does,
  /// and more.
  private static func isMoreSpecific(
    _ left: some RankedCandidate, _ right: some RankedCandidate
  ) -> Bool {
    guard left.declaration.selector == right.declaration.selector else { return false }
    if isTypedForm(left.declaration.parameters, right.declaration.parameters) { return true }
    guard left.declaration.parameters == right.declaration.parameters,
      let more = left.declaration.genericSignature?.requirements,
      let fewer = right.declaration.genericSignature?.requirements
    else { return false }
    return Set(more.map(text)).isStrictSuperset(of: fewer.map(text))
  }

  /// Whether the closures that `right` takes may throw anything, and those of `left`, otherwise the
  /// same, what a type says: as the two `map` of a sequence, of which one is there for programs
  /// that were compiled before there were typed throws.
  private static func isTypedForm(_ left: [FunctionParameter], _ right: [FunctionParameter]) -> Bool
  {
    func types(_ parameters: [FunctionParameter]) -> [TypeNode] { parameters.map(\.type) }
    let untyped = types(left).map(withoutThrownType)
    return left.count == right.count && types(left) != types(right) && untyped == types(right)
  }

  private static func withoutThrownType(_ type: TypeNode) -> TypeNode {
    guard case .function(var function) = type else { return type }
    function.thrownType = nil
    return .function(function)
  }

  /// An associated type may be spelled with its protocol or without.
  private static func text(_ requirement: GenericRequirement) -> String {
    switch requirement {
    case .conformance(let subject, let type):
      "\(subject.shortDescription()): \(type.shortDescription())"
    case .sameType(let left, let right):
      "\(left.shortDescription()) == \(right.shortDescription())"
    default: "\(requirement)"
    }
  }

  /// Nowhere worse, and somewhere better.
  private static func isBetter(_ left: [Int], _ right: [Int]) -> Bool {
    left.count == right.count && left != right && zip(left, right).allSatisfy { $0 <= $1 }
  }
}

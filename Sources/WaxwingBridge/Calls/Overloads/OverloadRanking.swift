// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// A candidate for the meaning of a call.
protocol RankedCandidate {
  var declaration: FunctionDeclaration { get }
  var isAsync: Bool { get }
  /// Whether a parameter is `inout`.
  var hasInout: Bool { get }
}

extension RankedCandidate {
  var isAsync: Bool { declaration.isAsync }
  var hasInout: Bool { declaration.parameters.contains { $0.ownership == .inout } }
}

/// Chooses the best of several fits of a call.
enum OverloadRanking {
  typealias Ranked<Candidate> = (candidate: Candidate, fit: OverloadCandidate.Fit)

  /// The best candidate, or several if none of them is better than the others.
  /// - Parameter program: Tells from which protocols a protocol inherits; nil if there is no
  ///   program to ask.
  /// - Parameter mayWait: Whether the code that calls can wait.
  static func best<Candidate: RankedCandidate>(
    _ fitting: [Ranked<Candidate>], in program: RunningProgram?, mayWait: Bool = false
  ) -> [Candidate] {
    if fitting.count < 2 { return fitting.map(\.candidate) }
    let fitting = fitting.filter { one in
      !fitting.contains { isMeantInstead($0.candidate, of: one.candidate, mayWait) }
    }
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
    return equal.filter { one in !equal.contains { isMoreSpecific($0, one, program) } }
  }

  /// Whether a call means one of two functions whose parameters are the same. As in Swift: where code can wait
  /// the `async` function is meant, elsewhere the other; and none with an `inout` parameter, for which Swift has
  /// a sign of its own.
  private static func isMeantInstead(
    _ one: some RankedCandidate, of other: some RankedCandidate, _ mayWait: Bool
  ) -> Bool {
    let isMeant =
      one.isAsync != other.isAsync ? one.isAsync == mayWait : other.hasInout && !one.hasInout
    guard isMeant else { return false }
    let (one, other) = (one.declaration, other.declaration)
    return one.selector == other.selector
      && one.parameters.map(\.type) == other.parameters.map(\.type)
  }

  /// Whether one of two generic functions with the same parameters requires all that the other
  /// does, and more.
  private static func isMoreSpecific(
    _ left: some RankedCandidate, _ right: some RankedCandidate, _ program: RunningProgram?
  ) -> Bool {
    guard left.declaration.selector == right.declaration.selector else { return false }
    if isTypedForm(left.declaration.parameters, right.declaration.parameters) { return true }
    guard left.declaration.parameters == right.declaration.parameters,
      let more = left.declaration.genericSignature?.requirements,
      let fewer = right.declaration.genericSignature?.requirements
    else { return false }
    return imply(more, fewer, program) && !imply(fewer, more, program)
  }

  /// Whether what fulfils the first requirements fulfils the others.
  private static func imply(
    _ given: [GenericRequirement], _ wanted: [GenericRequirement], _ program: RunningProgram?
  ) -> Bool {
    let texts = Set(given.map(text))
    return wanted.allSatisfy { one in
      texts.contains(text(one)) || given.contains { isRefined($0, one, program) }
    }
  }

  /// Whether the first requires a protocol that inherits from the one that the other requires.
  private static func isRefined(
    _ left: GenericRequirement, _ right: GenericRequirement, _ program: RunningProgram?
  ) -> Bool {
    guard let program, case .conformance(let subject, let type) = left,
      case .conformance(let other, let base) = right,
      subject.shortDescription() == other.shortDescription(),
      let derived = ProtocolDescriptor.find(type, in: program),
      let inherited = ProtocolDescriptor.find(base, in: program)
    else { return false }
    return derived.inherits(inherited)
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

  /// Whether no cost is higher and at least one is lower.
  static func isBetter(_ left: [Int], _ right: [Int]) -> Bool {
    left.count == right.count && left != right && zip(left, right).allSatisfy { $0 <= $1 }
  }
}

// SPDX-License-Identifier: MIT

import Testing
import WaxwingDeclarations

@testable import WaxwingBridge

/// A function that a call fits, as far as the ranking looks at it.
struct Ranked: RankedCandidate, Sendable {
  /// What the expectation calls it.
  var name: String
  /// `m.f(Int)` unless a case is about declarations.
  var symbol = "$s1m1fyySiF"
  var costs: [Int] = [0]
  var omitted = 0
  var labelled = 0
  var unnamed = 0
  var isGeneric = false
  var distance = 0

  init(
    _ name: String, costs: [Int] = [0], omitted: Int = 0, labelled: Int = 0, unnamed: Int = 0,
    isGeneric: Bool = false, distance: Int = 0
  ) {
    self.name = name
    self.costs = costs
    self.omitted = omitted
    self.labelled = labelled
    self.unnamed = unnamed
    self.isGeneric = isGeneric
    self.distance = distance
  }

  init(_ name: String, symbol: String) {
    self.name = name
    self.symbol = symbol
    isGeneric = true
  }

  // A symbol that cannot be read would fail every case that has it.
  var declaration: FunctionDeclaration { FunctionDeclaration(symbol: symbol).unsafelyUnwrapped }

  var fit: OverloadCandidate.Fit {
    OverloadCandidate.Fit(
      costs: costs, omitted: omitted, labelled: labelled, unnamed: unnamed, isGeneric: isGeneric,
      distance: distance)
  }
}

/// Candidates of one call, and which of them are best.
struct RankingCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var candidates: [Ranked]
  var best: [String]

  init(_ description: String, _ candidates: [Ranked], _ best: String...) {
    testDescription = description
    self.candidates = candidates
    self.best = best
  }
}

private let ranks = [
  RankingCase("nothing fits", []),
  RankingCase("one alone, however badly it fits", [Ranked("a", costs: [20, 20])], "a"),
  RankingCase("the lower cost", [Ranked("a", costs: [1]), Ranked("b", costs: [0])], "b"),
  RankingCase(
    "nowhere worse, somewhere better",
    [Ranked("a", costs: [0, 3, 1]), Ranked("b", costs: [0, 2, 1])], "b"),
  RankingCase(
    "better here and worse there is no choice",
    [Ranked("a", costs: [0, 12]), Ranked("b", costs: [1, 0])], "a", "b"),
  RankingCase(
    "a third that is worse than one of these is left out",
    [Ranked("a", costs: [0, 1]), Ranked("b", costs: [1, 0]), Ranked("c", costs: [1, 1])],
    "a", "b"),
  RankingCase(
    "a third that is better than both is the choice",
    [Ranked("a", costs: [0, 1]), Ranked("b", costs: [1, 0]), Ranked("c", costs: [0, 0])], "c"),
  RankingCase(
    "what breaks ties does not outweigh costs",
    [
      Ranked("a", costs: [0], omitted: 3, labelled: 2, unnamed: 4, isGeneric: true, distance: 5),
      Ranked("b", costs: [1]),
    ], "a"),
  RankingCase(
    "where costs contradict one another ties are not broken",
    [Ranked("a", costs: [0, 1]), Ranked("b", costs: [1, 0], omitted: 1)], "a", "b"),
  RankingCase("fewer parameters left out", [Ranked("a", omitted: 1), Ranked("b")], "b"),
  RankingCase(
    "parameters left out count for more than labels",
    [Ranked("a", omitted: 1), Ranked("b", labelled: 1, unnamed: 2, isGeneric: true)], "b"),
  RankingCase("fewer labels", [Ranked("a", labelled: 1), Ranked("b", unnamed: 9)], "b"),
  RankingCase(
    "labels that name their types",
    [Ranked("a", labelled: 1, unnamed: 2), Ranked("b", labelled: 1)], "b"),
  RankingCase(
    "labels count for more than being generic",
    [Ranked("a", labelled: 1, unnamed: 1), Ranked("b", labelled: 1, isGeneric: true)], "b"),
  RankingCase("not generic", [Ranked("a", isGeneric: true), Ranked("b", distance: 3)], "b"),
  RankingCase("the nearest class", [Ranked("a", distance: 2), Ranked("b", distance: 1)], "b"),
  RankingCase("nothing tells them apart", [Ranked("a"), Ranked("b")], "a", "b"),
  RankingCase(
    "a call without arguments: the function that has no parameters",
    [Ranked("a", costs: [], omitted: 1), Ranked("b", costs: [])], "b"),
  RankingCase(
    "costs of different numbers of arguments are not compared",
    [Ranked("a", costs: [0]), Ranked("b", costs: [0, 0])], "a", "b"),
]

private let unconstrained = Ranked("T", symbol: "$s1m1fyyxlF")
private let equatable = Ranked("T: Equatable", symbol: "$s1m1fyyxSQRzlF")
private let comparable = Ranked("T: Comparable", symbol: "$s1m1fyyxSLRzlF")
private let equatableSendable = Ranked(
  "T: Equatable & Sendable", symbol: "$s1m1fyyxSQRzs8SendableRzlF")
private let equatableText = Ranked(
  "T: CustomStringConvertible & Equatable", symbol: "$s1m1fyyxs23CustomStringConvertibleRzSQRzlF")
private let sequence = Ranked("S: Sequence", symbol: "$s1m1gyyxSTRzlF")
private let sequenceOfInt = Ranked("S.Element == Int", symbol: "$s1m1gyyxSTRzSi7ElementRtzlF")
private let sequenceOfEquatable = Ranked(
  "S.Element: Equatable", symbol: "$s1m1gyyxSTRzSQ7ElementRpzlF")
private let anyThrows = Ranked("throws", symbol: "$s1mAAyyS2iKXEF")
private let typedThrows = Ranked("throws(E)", symbol: "$s1mAAyyS2ixYKXEs5ErrorRzlF")

private let declared = [
  RankingCase("a requirement more", [equatable, equatableSendable], "T: Equatable & Sendable"),
  RankingCase(
    "in either order", [equatableText, equatable], "T: CustomStringConvertible & Equatable"),
  RankingCase(
    "requirements of which none has the other's", [equatableSendable, equatableText],
    "T: Equatable & Sendable", "T: CustomStringConvertible & Equatable"),
  RankingCase(
    "of three the one that requires most, though one more requires as much",
    [equatable, equatableSendable, equatableText],
    "T: Equatable & Sendable", "T: CustomStringConvertible & Equatable"),
  RankingCase("what an associated type is", [sequence, sequenceOfInt], "S.Element == Int"),
  RankingCase(
    "what is required of one", [sequenceOfEquatable, sequence], "S.Element: Equatable"),
  RankingCase(
    "an associated type's type says nothing of its protocols",
    [sequenceOfInt, sequenceOfEquatable], "S.Element == Int", "S.Element: Equatable"),
  RankingCase("closures that throw what a type says", [anyThrows, typedThrows], "throws(E)"),
  RankingCase("the same the other way round", [typedThrows, anyThrows], "throws(E)"),
  RankingCase(
    "functions of several names are not compared", [equatable, sequence],
    "T: Equatable", "S: Sequence"),
  RankingCase("any requirement is more than none", [unconstrained, equatable], "T: Equatable"),
]

@Suite struct OverloadRankingTests {
  private func best(_ candidates: [Ranked]) -> [String] {
    OverloadRanking.best(candidates.map { ($0, $0.fit) }, in: nil).map(\.name)
  }

  @Test(arguments: ranks)
  func `the first number that differs decides, and costs only if they agree`(_ ranking: RankingCase)
  {
    #expect(best(ranking.candidates) == ranking.best)
    #expect(Set(best(ranking.candidates.reversed())) == Set(ranking.best))
  }

  @Test func `where code can wait the async function is meant, and none with inout`() {
    let plain = Ranked("plain", symbol: "$s1m1fyySiF")
    let async = Ranked("async", symbol: "$s1m1fyySiYaF")
    let changing = Ranked("inout", symbol: "$s1m1fyySizF")
    func best(_ candidates: [Ranked], mayWait: Bool) -> [String] {
      OverloadRanking.best(candidates.map { ($0, $0.fit) }, in: nil, mayWait: mayWait).map(\.name)
    }
    #expect(best([plain, async], mayWait: false) == ["plain"])
    #expect(best([plain, async], mayWait: true) == ["async"])
    #expect(best([changing, plain], mayWait: true) == ["plain"])
    #expect(best([changing], mayWait: true) == ["inout"])
  }

  @Test(arguments: declared)
  func `of generic functions that fit alike the most specific is meant`(_ ranking: RankingCase) {
    for candidate in ranking.candidates {
      #expect(FunctionDeclaration(symbol: candidate.symbol) != nil, "\(candidate.name)")
    }
    #expect(best(ranking.candidates) == ranking.best)
    #expect(Set(best(ranking.candidates.reversed())) == Set(ranking.best))
  }
}

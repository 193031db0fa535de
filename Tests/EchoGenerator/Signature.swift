// SPDX-License-Identifier: MIT

import SeededRandom

/// What a function takes and returns: some of its parameters, in some order.
struct Signature {
  struct Parameter {
    let label: String?
    let type: EchoType
    var isInout = false
  }

  var parameters: [Parameter] = []
  /// Which parameters it returns.
  var results: [Int] = []
  var resultIsLabelled = false
  /// Parameters that are `inout`, each with the one whose value it is given.
  var inouts: [(target: Int, source: Int)] = []
  /// The parameter that is thrown unless it is nil.
  var failure: Int?
  /// The parameter that a mutating method sets its `mark` to.
  var mark: Int?

  static let mark = TypePool.scalars[0]
  static let failure = EchoType.optional(.plain("any Error", draw: "dice.failure()"))

  static func random(
    _ pool: inout TypePool, isMutating: Bool = false, isShort: Bool = false,
    _ random: inout SeededGenerator
  ) -> Signature {
    var signature = Signature()
    let counts = isShort ? [0, 1] : [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12]
    let count = counts.randomElement(using: &random) ?? 1
    while signature.parameters.count < count {
      let type = pool.type(&random)
      if Self.canBePassed(type), type.isSmall || !isShort { signature.add(type, &random) }
    }
    for index in 0..<count where Int.random(in: 0..<12, using: &random) == 0 {
      if isShort { break }
      signature.add(signature.parameters[index].type, &random)
      signature.parameters[index].isInout = true
      signature.inouts.append((index, signature.parameters.count - 1))
    }
    let results = [0, 1, 1, 1, 2, 3, 12, 12, 12].randomElement(using: &random) ?? 1
    signature.results = Array((0..<count).shuffled(using: &random).prefix(results))
    if signature.results.count > 1 {
      signature.results.removeAll { signature.parameters[$0].type.isAddressOnly }
    }
    signature.resultIsLabelled = Bool.random(using: &random)
    if Int.random(in: 0..<5, using: &random) == 0 {
      signature.failure = signature.parameters.count
      signature.add(failure, &random)
    }
    if isMutating {
      signature.mark = signature.parameters.count
      signature.add(mark, &random)
    }
    return signature
  }

  /// Tuples with elements that are passed by address are refused when a patch is loaded.
  static func canBePassed(_ type: EchoType) -> Bool {
    type.elements?.allSatisfy(\.type.isSmall) ?? true
  }

  private mutating func add(_ type: EchoType, _ random: inout SeededGenerator) {
    let labels = [nil, nil, "with", "by", "of", "at"]
    let label = labels[Int.random(in: labels.indices, using: &random)]
    parameters.append(Parameter(label: label, type: type))
  }

  /// As a patch names a function of this signature.
  func selector(_ name: String) -> String {
    name + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")"
  }

  /// The parameters, as in a declaration.
  var declaration: String {
    let texts = parameters.enumerated().map { index, parameter in
      "\(parameter.label ?? "_") p\(index): "
        + "\(parameter.isInout ? "inout " : "")\(parameter.type.spelling)"
    }
    return "(" + texts.joined(separator: ", ") + ")" + (failure == nil ? "" : " throws")
      + (results.isEmpty ? "" : " -> " + result)
  }

  /// The type of the result; there must be one.
  var result: String {
    if results.count == 1 { return parameters[results[0]].type.spelling }
    let texts = results.enumerated().map {
      (resultIsLabelled ? "r\($0): " : "") + parameters[$1].type.spelling
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  /// What it returns, as a Swift expression of its parameters.
  var resultExpression: String {
    let names = results.map { "p\($0)" }.joined(separator: ", ")
    return results.count == 1 ? names : "(\(names))"
  }

  /// The arguments of a call, where `inout` ones are variables named `v`.
  var arguments: String {
    let texts = parameters.enumerated().map { index, parameter in
      (parameter.label.map { "\($0): " } ?? "") + (parameter.isInout ? "&v\(index)" : "p\(index)")
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }
}

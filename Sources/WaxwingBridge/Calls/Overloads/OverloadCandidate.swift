// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// One function of an overload set, which tells how well a call fits it.
final class OverloadCandidate: RankedCandidate {
  let call: FunctionCall
  /// How many classes up it is declared: 0 for the first of the set.
  let distance: Int
  /// How far each parameter's label is from naming its type; nil: it has none. Found by the first call
  /// that is compared with others: it takes the types' names.
  private lazy var labelDistances: [Int?] = zip(
    declaration.parameters, plan.arguments
  ).map { parameter, argument in
    parameter.label.map { ArgumentLabel.distance($0, argument.codec.type) }
  }
  private let isGeneric: Bool
  let isAsync: Bool
  let hasInout: Bool

  init(_ call: FunctionCall, distance: Int) {
    self.call = call
    self.distance = distance
    let declaration = call.plan.function.declaration
    isGeneric = declaration.genericSignature != nil
    isAsync = declaration.isAsync
    hasInout = declaration.parameters.contains { $0.ownership == .inout }
  }

  var plan: CallPlan { call.plan }
  var declaration: FunctionDeclaration { plan.function.declaration }

  /// Whether this number of arguments can be passed.
  func takes(_ count: Int) -> Bool {
    if count >= plan.arguments.count { return count == plan.arguments.count || plan.isVariadic }
    return plan.arguments.indices.dropFirst(count).allSatisfy(plan.defaults.canOmit)
  }

  // MARK: Fitting

  /// How well a call fits. Each number: less is better; the first that differs decides, but for the
  /// costs, where one fit is better than another only if it is nowhere worse.
  struct Fit {
    /// The costs of the arguments, one for each argument that was passed.
    var costs: [Int] = []
    /// Parameters that were not passed anything.
    var omitted = 0
    /// Arguments for parameters with labels.
    var labelled = 0
    /// A measure of how far their labels are from naming the arguments.
    var unnamed = 0
    var isGeneric = false
    var distance = 0

    /// Whether a Lua value is taken for a literal of a type's.
    var hasLiterals: Bool { costs.contains { $0 >= ArgumentFit.literal } }

    var tieBreakers: [Int] { [omitted, labelled, unnamed, isGeneric ? 1 : 0, distance] }
  }

  /// The cost of one argument; nil: it does not fit.
  typealias Cost = (LuaReader, any Any.Type) -> Int?

  /// How well the arguments fit; nil if one does not. The reader stands at the first argument.
  func fit(
    _ reader: LuaReader, by cost: Cost = { ArgumentFit.cost(of: $0, as: $1) }
  ) -> Fit? {
    var reader = reader
    var fit = Fit()
    fit.isGeneric = isGeneric
    fit.distance = distance
    for index in plan.arguments.indices {
      let wasAtEnd = reader.isAtEnd
      guard add(index, &reader, cost, to: &fit) else { return nil }
      if wasAtEnd {
        fit.omitted += 1
        // No arguments at all are no literal.
        if labelDistances[index] == ArgumentLabel.ofCompiler {
          fit.unnamed += ArgumentLabel.ofCompiler
        }
      } else if let distance = labelDistances[index] {
        fit.labelled += 1
        fit.unnamed += distance
      }
    }
    return fit
  }

  /// How well all arguments of these kinds fit.
  /// - Returns: Nil for the fit: none of them does. If the kinds do not decide, it is the fit of those that do.
  func fit(
    _ reader: LuaReader, by kinds: inout ArgumentKinds
  ) -> (fit: Fit?, isDecided: Bool) {
    var isDecided = true
    let fit = fit(reader) { reader, type in
      if kinds.decide(reader, as: type) { return ArgumentFit.cost(of: reader, as: type) }
      isDecided = false
      return ArgumentFit.cost(of: reader, as: type, .assuming)
    }
    return (fit, isDecided)
  }

  /// How well arguments that were given by name fit; nil if they do not.
  func fit(_ arguments: BoundArguments) -> Fit? {
    var fit = Fit()
    fit.isGeneric = isGeneric
    fit.distance = distance
    for (index, reader) in arguments.readers.enumerated() {
      if reader.isAtEnd {
        fit.omitted += 1
      } else if let cost = cost(
        plan.arguments[index], index, reader, { ArgumentFit.cost(of: $0, as: $1) })
      {
        fit.costs.append(cost)
      } else {
        return nil
      }
    }
    return fit
  }

  private func add(
    _ index: Int, _ reader: inout LuaReader, _ cost: Cost, to fit: inout Fit
  ) -> Bool {
    let argument = plan.arguments[index]
    if argument.isVariadic { return addVariadic(index, &reader, cost, to: &fit) }
    if reader.isAtEnd { return plan.defaults.canOmit(index) }
    guard let cost = self.cost(argument, index, reader, cost) else { return false }
    fit.costs.append(cost)
    reader.skip()
    return true
  }

  private func cost(
    _ argument: CallPlan.Argument, _ index: Int, _ reader: LuaReader, _ cost: Cost
  ) -> Int? {
    if let cost = cost(reader, ArgumentFit.type(of: reader, as: argument.codec)) { return cost }
    return reader.peeked.isNil && plan.defaults.has(index) ? 1 : nil
  }

  /// Arguments of their own are better than variadic ones.
  private func addVariadic(
    _ index: Int, _ reader: inout LuaReader, _ cost: Cost, to fit: inout Fit
  ) -> Bool {
    guard let array = plan.arguments[index].codec.type as? any ArrayType.Type else { return false }
    let kept = plan.defaults.countRequired(after: index)
    if VariadicArguments.isTable(reader.peeked),
      let cost = ArgumentFit.cost(of: reader, as: plan.arguments[index].codec.type)
    {
      fit.costs.append(cost + 1)
      reader.skip()
      return true
    }
    for _ in 0..<max(VariadicArguments.remaining(reader) - kept, 0) {
      guard let cost = cost(reader, array.elementType) else { return false }
      fit.costs.append(cost + 1)
      reader.skip()
    }
    return true
  }

  // MARK: Messages

  /// `add(_: Int) -> String`
  var text: String { declaration.description }

  /// Why a call does not fit.
  func refusal(_ reader: LuaReader, count: Int) -> String {
    guard takes(count) else { return countRefusal(count) }
    var reader = reader
    for argument in plan.arguments {
      if reader.isAtEnd { break }
      if let error = ArgumentFit.failure(of: reader, as: argument.codec) {
        return "\(argument.name): \(error)"
      }
      reader.skip()
    }
    return "an argument does not fit"
  }

  private func countRefusal(_ count: Int) -> String {
    let most = plan.arguments.count
    if count < most,
      let first = plan.arguments.indices.dropFirst(count).first(where: {
        !plan.defaults.canOmit($0)
      })
    {
      return "\(plan.arguments[first].name) is missing"
    }
    return "it takes \(most) argument\(most == 1 ? "" : "s"), got \(count)"
  }
}

// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingDeclarations
package import WaxwingLua
package import WaxwingReflection

/// Several functions of one name, of which a call from Lua means one.
///
/// The choice is made at each call: by how many arguments there are, then by how well they fit the
/// parameters' types. Where that leaves several: the one that fewer arguments are left out of, then
/// the one with fewer labels, then the one whose labels name their types (`URL(string:)` for a
/// string), then the one that is declared in the nearest class. A function whose values cannot cross
/// is none of the candidates; if none is left its reason is the error.
///
/// Functions of one signature in several classes count as one, the first.
package final class OverloadSet {
  /// The name as the script wrote it.
  let name: String
  private var functions: [RunningFunction]
  /// Finds the functions again once conformances or classes have changed; nil: they stay. It throws if there are none
  /// any more.
  package var renew: (() throws(LuaRaise) -> [RunningFunction])?
  private var epoch = wax_call_choices_epoch()
  private let target: CallTarget
  private let hasReceiver: Bool
  private let metatype: (any Any.Type)?
  private unowned let patch: PatchContext
  /// Functions that are meant where none of these takes the arguments. They are not looked for
  /// before.
  private lazy var others: OverloadSet? = makeOthers()
  private let findOthers: () -> [RunningFunction]
  /// Whether a call may name types after its arguments.
  private lazy var mayNameTypes = functions.contains { $0.declaration.genericSignature != nil }
  private var known: [OverloadCandidate]?
  /// The superclass that the object is seen as: what classes of Lua's below it override is passed over.
  package var viewed: (any Any.Type)?
  /// The functions for static methods that are called as a superclass has them.
  private var passing: [PassingKey: FunctionCall] = [:]
  /// The callback that Lua code calls; nil if C makes the calls.
  private var callback: UnsafeMutablePointer<wax_lua_callback>?
  private let remembered = RememberedChoices()
  /// The error text if there is no function at all.
  package var whenEmpty: String?
  private var generic: [(function: GenericFunction, distance: Int)] = []
  /// Generic functions with the types of their parameters, by plan. The function keeps the plan.
  private var specialised: [ObjectIdentifier: OverloadCandidate] = [:]
  private var firstReason: PlanError?
  /// The functions that the class does not have, and the reasons.
  private var missing: [(function: RunningFunction, reason: PlanError)] = []

  /// - Parameters:
  ///   - functions: In the order of nearness: those of a subclass before those that it inherits.
  ///   - hasReceiver: Whether what a member is called on comes before the arguments.
  ///   - metatype: The type that a static method or initializer was looked up on.
  ///   - others: Functions that are meant where none of these takes the arguments.
  package init(
    _ functions: [RunningFunction], named name: String, _ target: CallTarget = .current,
    hasReceiver: Bool = true, on metatype: (any Any.Type)? = nil, in patch: PatchContext,
    others: @escaping () -> [RunningFunction] = { [] }
  ) {
    findOthers = others
    self.name = name
    self.functions = Self.withoutOverridden(functions)
    self.target = target
    self.hasReceiver = hasReceiver
    self.metatype = metatype
    self.patch = patch
  }

  /// Registers the set as a Lua function.
  package func register() -> UnsafeMutablePointer<wax_lua_callback> {
    let callback = patch.state.register { (call) throws(LuaRaise) in try self.run(&call) }
    self.callback = callback
    return callback
  }

  /// Lets C make the calls once a call can mean only one function. For arguments of the parameters'
  /// own Lua types, C then needs no choice.
  private func offerDirect(_ function: FunctionCall) {
    guard let callback, callback.pointee.direct == nil, meansOneFunction, viewed == nil else {
      return
    }
    function.offerDirect(to: callback)
    self.callback = nil
  }

  /// A set that is renewed may mean others later.
  private var meansOneFunction: Bool { generic.isEmpty && known?.count == 1 && renew == nil }

  private func renewed() throws(LuaRaise) {
    let current = wax_call_choices_epoch()
    guard let renew, epoch != current else { return }
    let found = Self.withoutOverridden(try renew())
    epoch = current
    if found == functions { return }
    functions = found
    (known, generic, specialised, passing) = (nil, [], [:], [:])
    (firstReason, missing) = (nil, [])
    mayNameTypes = functions.contains { $0.declaration.genericSignature != nil }
  }

  /// Runs one call. The state is entered before and after.
  package func run(_ call: inout LuaCall) throws(LuaRaise) {
    try renewed()
    var (arguments, count) = arguments(call)
    if let known = remembered.function(for: call) {
      return try run(&call, known, nil, arguments)
    }
    var choice: Choice
    if mayNameTypes, let named = TypeArguments(arguments, count, functions) {
      (arguments, count) = (named.arguments, named.count)
      choice = try choose(
        arguments, count, receiver: call.arguments, naming: named.types, mayWait: call.mayWait)
      choice.bound =
        choice.bound
        ?? BoundArguments(
          inOrder: arguments, parameterCount: choice.candidate.plan.arguments.count)
    } else {
      choice = try choose(
        arguments, count, receiver: call.arguments, mayWait: call.mayWait)
      remember(choice, arguments, count, call)
    }
    try run(&call, choice.candidate.call, choice.bound, arguments)
  }

  /// - Parameter bound: The arguments, if they are given by name.
  private func run(
    _ call: inout LuaCall, _ meant: FunctionCall, _ bound: BoundArguments?, _ arguments: LuaReader
  ) throws(LuaRaise) {
    let function = passing(meant, call)
    offerDirect(function)
    if let made = try MadeDefaults(function, bound, arguments, in: patch) {
      defer { made.release() }
      return try function.run(&call, made.arguments)
    }
    if let bound { return try function.run(&call, bound) }
    try function.run(&call)
  }

  private func passing(_ function: FunctionCall, _ call: LuaCall) -> FunctionCall {
    guard let viewed,
      let type = hasReceiver ? ReceiverType.of(call.arguments.peeked) : metatype,
      let point = patch.overrides.classPoint(function.plan.function, viewed, type)
    else {
      function.isVirtual = viewed == nil
      return function
    }
    let plan = plan(of: function, at: point, call)
    let key = PassingKey(point: ObjectIdentifier(point), plan: ObjectIdentifier(plan))
    if let known = passing[key] { return known }
    let made = FunctionCall(
      plan, .original(point), in: patch.state, hasReceiver: hasReceiver, on: metatype)
    passing[key] = made
    return made
  }

  private struct PassingKey: Hashable {
    let point: ObjectIdentifier
    let plan: ObjectIdentifier
  }

  /// The plan of a generic function for the types that the override runs for, whatever the
  /// arguments look like to Lua.
  private func plan(
    of function: FunctionCall, at point: PointOverrides, _ call: LuaCall
  ) -> CallPlan {
    if case .plain(let plan)? = point.form { return plan }
    guard let running = ActiveCall.innermost(at: point)?.pointee.plan else { return function.plan }
    let isTaken = !hasReceiver || running.accepts(receiver: call.arguments.peeked)
    return isTaken ? running : function.plan
  }

  /// The meaning of a call.
  struct Choice {
    let candidate: OverloadCandidate
    /// The arguments, if they are given by name.
    var bound: BoundArguments?
  }

  /// - Parameters:
  ///   - arguments: Stands at the first one.
  ///   - count: How many there are.
  ///   - receiver: Stands at what a member is called on.
  ///   - types: What the call names for generic parameters that the arguments do not tell.
  ///   - mayWait: Whether the code that calls can wait.
  func choose(
    _ arguments: LuaReader, _ count: Int, receiver: LuaReader, naming types: [any Any.Type] = [],
    mayWait: Bool = false
  ) throws(LuaRaise) -> Choice {
    if isLiteral(arguments, count),
      let other = try chooseOther(arguments, count, receiver: receiver, mayWait: mayWait)
    {
      return other
    }
    let candidates = try candidates(arguments, count, receiver, naming: types)
    if let choice = try chooseByLabels(
      arguments, count, candidates, receiver: receiver, mayWait: mayWait)
    {
      return choice
    }
    if candidates.count == 1, candidates[0].takes(count) {
      let bound = bound(candidates[0], arguments, count)
      // A table of arguments that has other names in it.
      let isTable = count == 1 && arguments.peeked.tag == WAX_LUA_VALUE_TABLE.rawValue
      if bound == nil, others != nil, isTable || candidates[0].fit(arguments) == nil,
        let other = try chooseOther(arguments, count, receiver: receiver, mayWait: mayWait)
      {
        return other
      }
      return Choice(candidate: candidates[0], bound: bound)
    }
    let fitting = fitting(arguments, count, candidates)
    if fitting.allSatisfy(\.fit.hasLiterals),
      let other = try chooseOther(arguments, count, receiver: receiver, mayWait: mayWait)
    {
      return other
    }
    if fitting.isEmpty {
      if candidates.count == 1 {
        let bound = bound(candidates[0], arguments, count)
        if bound == nil { try checkMissing(count) }
        return Choice(candidate: candidates[0], bound: bound)
      }
      return try chooseByName(arguments, count, candidates, mayWait: mayWait)
    }
    let best = OverloadRanking.best(
      fitting, in: patch.program, mayWait: mayWait)
    guard best.count == 1 else { throw OverloadError.ambiguous(self, best, arguments) }
    return Choice(candidate: best[0])
  }

  /// The choice where the only argument is a table whose keys are labels of a function's parameters, also if
  /// another function takes a table, such as any sequence; nil: it is not.
  private func chooseByLabels(
    _ arguments: LuaReader, _ count: Int, _ candidates: [OverloadCandidate], receiver: LuaReader,
    mayWait: Bool
  ) throws(LuaRaise) -> Choice? {
    guard count == 1, BoundArguments.hasOnlyLabels(arguments), functions.count > 1 || others != nil
    else { return nil }
    let fitting = namedFitting(arguments, candidates)
    if fitting.isEmpty {
      guard let others else { return nil }
      // What cannot be planned there is none of the candidates.
      guard let found = try? others.candidates(arguments, count, receiver) else { return nil }
      return try others.chooseByLabels(
        arguments, count, found, receiver: receiver, mayWait: mayWait)
    }
    let best = OverloadRanking.best(
      fitting, in: patch.program, mayWait: mayWait)
    if best.count > 1 { throw OverloadError.ambiguous(self, best, arguments) }
    return Choice(candidate: best[0], bound: BoundArguments(arguments, best[0]))
  }

  private func namedFitting(
    _ arguments: LuaReader, _ candidates: [OverloadCandidate]
  ) -> [OverloadRanking.Ranked<OverloadCandidate>] {
    candidates.compactMap { candidate in
      guard let bound = BoundArguments(arguments, candidate), let fit = candidate.fit(bound) else {
        return nil
      }
      return (candidate, fit)
    }
  }

  /// The choice among the other functions of the name; nil if none of them takes the arguments.
  private func chooseOther(
    _ arguments: LuaReader, _ count: Int, receiver: LuaReader, mayWait: Bool
  ) throws(LuaRaise) -> Choice? {
    guard let others, try others.takes(arguments, count, receiver: receiver) else { return nil }
    return try others.choose(arguments, count, receiver: receiver, mayWait: mayWait)
  }

  /// Whether a list is the only argument for a type that Swift writes as a list. Its elements are
  /// meant then, though an initializer of the type might take the list for something else, such as
  /// two bounds.
  private func isLiteral(_ arguments: LuaReader, _ count: Int) -> Bool {
    count == 1 && arguments.peeked.tag == WAX_LUA_VALUE_ARRAY.rawValue
      && metatype is any ExpressibleByArrayLiteral.Type
  }

  /// Whether any of the functions takes the arguments.
  package func takes(
    _ arguments: LuaReader, _ count: Int, receiver: LuaReader
  ) throws(LuaRaise) -> Bool {
    !fitting(arguments, count, try candidates(arguments, count, receiver)).isEmpty
  }

  private func fitting(
    _ arguments: LuaReader, _ count: Int, _ candidates: [OverloadCandidate]
  ) -> [OverloadRanking.Ranked<OverloadCandidate>] {
    var fitting: [OverloadRanking.Ranked<OverloadCandidate>] = []
    for candidate in candidates where candidate.takes(count) {
      if let fit = candidate.fit(arguments) { fitting.append((candidate, fit)) }
    }
    // What takes the values as they are is meant rather than what takes them for literals.
    let direct = fitting.filter { !$0.fit.hasLiterals }
    return direct.isEmpty ? fitting : direct
  }

  // MARK: Candidates

  /// The candidates for a call. A generic function is a candidate with the plan for this call's
  /// types.
  private func candidates(
    _ arguments: LuaReader, _ count: Int, _ receiver: LuaReader,
    naming types: [any Any.Type] = []
  ) throws(LuaRaise) -> [OverloadCandidate] {
    var isByKind = true
    return try candidates(arguments, count, receiver, naming: types, isByKind: &isByKind)
  }

  /// - Parameter isByKind: Becomes false if the candidates do not follow from the kinds of the arguments alone.
  private func candidates(
    _ arguments: LuaReader, _ count: Int, _ receiver: LuaReader, naming types: [any Any.Type],
    isByKind: inout Bool
  ) throws(LuaRaise) -> [OverloadCandidate] {
    // A function that is not generic has nothing to name.
    let known = try fixedCandidates()
    let fixed = types.isEmpty ? known : []
    if generic.isEmpty { return fixed }
    var reason: PlanError?
    var all = fixed
    let isTaken = fixed.contains { $0.takes(count) }
    for (function, distance) in generic {
      // What it stands for is not looked for where it could not be called.
      if isTaken, function.function.declaration.takesFewer(than: count) { continue }
      do throws(PlanError) {
        let plan = try function.plan(
          receiver: hasReceiver && function.takesReceiver ? receiver : nil, on: metatype,
          arguments, naming: types, isByKind: &isByKind)
        all.append(candidate(plan, distance))
      } catch {
        reason = reason ?? error
      }
    }
    if all.isEmpty { throw .message((reason ?? firstReason)?.description ?? "") }
    return all
  }

  private func candidate(_ plan: CallPlan, _ distance: Int) -> OverloadCandidate {
    if let known = specialised[ObjectIdentifier(plan)] { return known }
    let call = FunctionCall(
      plan, target, in: patch.state, hasReceiver: hasReceiver, on: metatype)
    let made = OverloadCandidate(call, distance: distance)
    specialised[ObjectIdentifier(plan)] = made
    return made
  }

  private func fixedCandidates() throws(LuaRaise) -> [OverloadCandidate] {
    if let known { return known }
    var made: [OverloadCandidate] = []
    var owners: [String?] = []
    for function in functions {
      let owner = function.declaration.typeName
      if !owners.contains(owner) { owners.append(owner) }
      do throws(PlanError) {
        if let generic = try patch.plans.generic(function) {
          self.generic.append((generic, owners.firstIndex(of: owner) ?? 0))
          continue
        }
        let call = FunctionCall(
          try patch.plans.plan(function), target, in: patch.state, hasReceiver: hasReceiver,
          on: metatype)
        made.append(OverloadCandidate(call, distance: owners.firstIndex(of: owner) ?? 0))
      } catch {
        firstReason = firstReason ?? error
        if error.reason == MissingInitializers.reason { missing.append((function, error)) }
      }
    }
    if made.isEmpty, generic.isEmpty {
      throw .message(firstReason?.description ?? whenEmpty ?? "`\(name)` cannot be called")
    }
    known = made
    return made
  }

  /// Reports a missing initializer: if nothing else takes the arguments, the call means an
  /// initializer that the class does not have.
  private func checkMissing(_ count: Int) throws(LuaRaise) {
    let meant = missing.first { $0.function.declaration.parameters.count == count }
    if let meant { throw .message(meant.reason.description) }
  }

  private func makeOthers() -> OverloadSet? {
    let functions = findOthers()
    if functions.isEmpty { return nil }
    let others = OverloadSet(
      functions, named: name, target, hasReceiver: hasReceiver, on: metatype, in: patch)
    others.viewed = viewed
    return others
  }

  private static func withoutOverridden(_ functions: [RunningFunction]) -> [RunningFunction] {
    var kept: [RunningFunction] = []
    for function in functions where !kept.contains(where: { isSame($0, function) }) {
      kept.append(function)
    }
    return kept
  }

  private static func isSame(_ left: RunningFunction, _ right: RunningFunction) -> Bool {
    let (left, right) = (left.declaration, right.declaration)
    return left.selector == right.selector && left.kind == right.kind
      && left.isStatic == right.isStatic && left.interfaceType == right.interfaceType
      && left.genericSignature == right.genericSignature
  }

  // MARK: Remembering

  /// Remembers the function that a call means, if the kinds of its arguments decide it.
  private func remember(
    _ choice: Choice, _ arguments: LuaReader, _ count: Int, _ call: LuaCall
  ) {
    guard choice.bound == nil, choice.candidate.takes(count), !mayEndWithType(arguments, count),
      var kinds = ArgumentKinds(call),
      isDecided(choice.candidate, arguments, count, call.arguments, by: &kinds)
    else { return }
    remembered.remember(choice.candidate.call, for: kinds, isDirect: viewed == nil)
    guard viewed == nil, let callback, callback.pointee.direct == nil, !meansOneFunction else {
      return
    }
    callback.pointee.direct_plan = remembered.plan
    callback.pointee.direct = wax_call_run_choice
  }

  /// Whether the last argument is a text that may be the name of a type: see `TypeArguments`.
  private func mayEndWithType(_ arguments: LuaReader, _ count: Int) -> Bool {
    guard mayNameTypes, count > 0 else { return false }
    var last = arguments
    for _ in 1..<count { last.skip() }
    guard last.peeked.isString else { return false }
    return !functions.contains { function in
      let declaration = function.declaration
      return declaration.parameters.count >= count
        && !declaration.locationParameters.contains(count - 1)
    }
  }

  /// Whether the kinds alone decide that a call means a candidate: one of this set, or of the other functions. A
  /// function of which the value itself tells whether it takes it is no obstacle if the candidate would be better in
  /// any case.
  private func isDecided(
    _ meant: OverloadCandidate, _ arguments: LuaReader, _ count: Int, _ receiver: LuaReader,
    by kinds: inout ArgumentKinds
  ) -> Bool {
    var isByKind = true
    guard
      let all = try? candidates(arguments, count, receiver, naming: [], isByKind: &isByKind),
      isByKind, all.allSatisfy({ $0.isAsync == meant.isAsync })
    else { return false }
    let taking = all.filter { $0.takes(count) }
    guard all.contains(where: { $0 === meant }) else {
      for candidate in taking where !candidate.fit(arguments, by: &kinds).isDecided { return false }
      return others?.isDecided(meant, arguments, count, receiver, by: &kinds) ?? false
    }
    if all.count == 1, others == nil { return true }
    let own = meant.fit(arguments, by: &kinds)
    guard own.isDecided, let fit = own.fit, !fit.hasLiterals else { return false }
    for candidate in taking where candidate !== meant {
      let other = candidate.fit(arguments, by: &kinds)
      guard let assumed = other.fit, !other.isDecided else { continue }
      if !OverloadRanking.isBetter(fit.costs, assumed.costs) { return false }
    }
    return true
  }

  // MARK: Arguments

  /// A reader at the first argument, and how many there are.
  private func arguments(_ call: LuaCall) -> (LuaReader, count: Int) {
    var reader = call.arguments
    guard takesReceiver else { return (reader, call.argumentCount) }
    reader.skip()
    return (reader, max(call.argumentCount - 1, 0))
  }

  private var takesReceiver: Bool { known?.first?.call.takesReceiver ?? hasReceiver }

  /// Arguments by name, where a table is no argument by itself.
  private func bound(
    _ candidate: OverloadCandidate, _ arguments: LuaReader, _ count: Int
  ) -> BoundArguments? {
    guard count == 1, VariadicArguments.isTable(arguments.peeked),
      let bound = BoundArguments(arguments, candidate, mayLack: true)
    else { return nil }
    let isMeant = bound.hasLabel || BoundArguments(arguments, candidate) != nil
    return isMeant && candidate.fit(arguments) == nil ? bound : nil
  }

  private func chooseByName(
    _ arguments: LuaReader, _ count: Int, _ candidates: [OverloadCandidate], mayWait: Bool
  ) throws(LuaRaise) -> Choice {
    let isTable = count == 1 && VariadicArguments.isTable(arguments.peeked)
    let fitting = isTable ? namedFitting(arguments, candidates) : []
    let best = OverloadRanking.best(
      fitting, in: patch.program, mayWait: mayWait)
    if best.isEmpty { try checkMissing(count) }
    if best.isEmpty { throw OverloadError.noneFits(self, candidates, arguments, count) }
    if best.count > 1 { throw OverloadError.ambiguous(self, best, arguments) }
    return Choice(candidate: best[0], bound: BoundArguments(arguments, best[0]))
  }
}

extension FunctionDeclaration {
  fileprivate func takesFewer(than count: Int) -> Bool {
    let parameters = parameters
    return count > parameters.count && !parameters.contains(where: \.isVariadic)
  }
}

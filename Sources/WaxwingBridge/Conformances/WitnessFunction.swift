// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingDeclarations
package import WaxwingInterception
package import WaxwingReflection

/// A function that a protocol requires, as a conformance that a patch has made fulfils it.
///
/// Unchecked: what is not fixed is under a lock.
package final class WitnessFunction: @unchecked Sendable {
  let requirement: ProtocolRequirement
  /// The declaration by which scripts call the function.
  package let declaration: FunctionDeclaration
  /// The witness table's word, as a function that can be overridden. An initializer is a static function
  /// that returns an instance.
  package let function: RunningFunction
  /// The code that runs if the type has none of its own: code, or an async function pointer.
  let defaultImplementation: UnsafeRawPointer?
  /// Makes the plan for calls of the function.
  private let makePlan: @Sendable (RunningFunction) throws(PlanError) -> CallPlan
  private let planned = Mutex<Result<CallPlan, PlanError>?>(nil)
  private let claimed = Mutex<WitnessAnswer?>(nil)

  init(
    _ requirement: ProtocolRequirement, _ name: RequirementName, word: UnsafeMutableRawPointer,
    default defaultImplementation: UnsafeRawPointer?, type: any Any.Type, typeName: String,
    protocolName: String,
    plan: @escaping @Sendable (RunningFunction) throws(PlanError) -> CallPlan
  ) {
    self.requirement = requirement
    declaration = name.declaration
    self.defaultImplementation = defaultImplementation
    makePlan = plan
    function = RunningFunction(
      requirement: name.symbol, name.declaration.asStaticFunction, word: UInt(bitPattern: word),
      isAsync: requirement.isAsync,
      RunningFunction.Witness(
        typeName: typeName, protocolName: protocolName,
        hasDefault: defaultImplementation != nil, isOfMadeClass: LuaClass.of(type) != nil))
    word.storeBytes(of: defaultImplementation, as: UnsafeRawPointer?.self)
  }

  package func plan() throws(PlanError) -> CallPlan {
    if let known = planned.withLock({ $0 }) { return try known.get() }
    let made = Result { () throws(PlanError) in try makePlan(function) }
    planned.withLock { $0 = made }
    return try made.get()
  }

  /// The plan that calls the beginning of the `modify` coroutine of a getter's property.
  func planBeginningOfModify() throws(PlanError) -> CallPlan {
    try makePlan(function.beginningOfModify)
  }

  /// The function as an accessor of a coroutine.
  func accessor() throws(PlanError) -> ModifyCoroutine.Accessor {
    // Never nil: it is in a witness table.
    let word = UnsafePointer<UnsafeRawPointer>(bitPattern: function.address).unsafelyUnwrapped
    return ModifyCoroutine.Accessor(plan: try plan(), place: .word(word))
  }

  /// The answer to calls that no override takes; nil if there is a default implementation.
  package func answering() throws(InterceptionError) -> WitnessAnswer? {
    guard defaultImplementation == nil, let plan = try? plan() else { return nil }
    if let known = claimed.withLock({ $0 }) { return known }
    let made = WitnessAnswer(plan, self)
    try AnsweredPoint.claim(point(plan), made.handler, context: made.context)
    claimed.withLock { $0 = made }
    return made
  }

  private func point(_ plan: CallPlan) -> InterceptionPoint {
    InterceptionPoint(
      word: function.address, stackBytes: plan.stackBytes, isAsync: function.isAsync)
  }
}

extension InterceptionPoint {
  /// The word of a witness table.
  init(word: UInt, stackBytes: Int, isAsync: Bool) {
    guard let word = UnsafeMutablePointer<UnsafeMutableRawPointer?>(bitPattern: word) else {
      preconditionFailure("a witness table is in memory")
    }
    self.init(word: word, stackBytes: stackBytes, isAsync: isAsync)
  }
}

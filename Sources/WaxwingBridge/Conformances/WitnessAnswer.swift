// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The answer of a requirement without a default implementation if no Lua function gives one: it
/// failed, or its patch has ended and the program still has an `any P`. Never freed, like the
/// witness table.
///
/// Unchecked: what is not fixed is under a lock.
package final class WitnessAnswer: @unchecked Sendable {
  /// The answer since the last patch that declared it went live. Unchecked: never changed.
  private struct Current: @unchecked Sendable {
    var answer: FallbackResult
    var makeError: @Sendable (RaisedError) -> any Error = { $0 }
  }

  let plan: CallPlan
  private let name: String
  private let current: Mutex<Current>

  init(_ plan: CallPlan, _ witness: WitnessFunction) {
    self.plan = plan
    name = "\(witness.function.witness?.typeName ?? "").\(witness.function.declaration.selector)"
    let neutral = plan.result.flatMap { $0.hasNeutral ? FallbackResult.neutral($0) : nil }
    current = Mutex(Current(answer: plan.canThrowAnything ? .none : neutral ?? .none))
  }

  func set(_ answer: FallbackResult, _ makeError: @escaping @Sendable (RaisedError) -> any Error) {
    let new = Current(answer: answer, makeError: makeError)
    let old = current.withLock { current in
      defer { current = new }
      return current
    }
    _ = old  // what it held is destroyed here, without the lock
  }

  /// A pointer to the answer, which is never freed.
  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  var handler: AnswerHandler {
    plan.isAsync ? .asynchronous(Self.answerAsync) : .synchronous(Self.answer)
  }

  private static let answer: ClosureHandler = { context, frame in
    guard let context, let frame else { return }
    Unmanaged<WitnessAnswer>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frame) }
  }

  private static let answerAsync: AsyncHandler = { context, run in
    guard let context, let frame = run?.pointee.callFrame else { return nil }
    Unmanaged<WitnessAnswer>.fromOpaque(context)._withUnsafeGuaranteedRef { answer in
      answer.plan.resultAddress?.receiveResultAddress(frame)
      frame.pointee.thrownError = 0
      answer.run(frame)
    }
    return nil
  }

  private func run(_ frame: FramePointer) {
    let current = current.withLock { $0 }
    if plan.canThrowAnything {
      let raised = RaisedError(
        message: "\(name) belongs to a patch that has ended, or that is switched off",
        position: nil, frames: [])
      _ = plan.outcome.setError(current.makeError(raised), frame)  // it can throw anything
    } else if plan.result != nil {
      put(current.answer, frame)
    }
    plan.consumeArguments(frame)
  }

  private func put(_ answer: FallbackResult, _ frame: FramePointer) {
    plan.outcome.put(frame) { target in
      switch answer {
      case .neutral(let codec): codec.initializeNeutral(target)
      case .value(let value): value.copy(to: target)
      case .argument(let index):
        let argument = plan.arguments[index]
        plan.withValue(of: argument, frame) { argument.codec.copy($0, to: target) }
      case .none: preconditionFailure("a requirement without an answer is refused")
      }
      replace(target, frame)
    }
  }

  /// An answer of the type `Self` is the object itself where the call is on an instance of a class that
  /// inherits, and that the answer does not belong to.
  private func replace(_ target: UnsafeMutableRawPointer, _ frame: FramePointer) {
    guard let selfResult = plan.selfResult, let codec = plan.result,
      let object = plan.calledObject(frame)
    else { return }
    do throws(ConversionError) {
      try selfResult.check(target, plan, frame)
    } catch {
      guard selfResult.isObject else { return }
      codec.destroy(target)
      ObjectReference.retain(object)
      target.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
    }
  }
}

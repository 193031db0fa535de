// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

// One call of a Lua function by Swift. The stub has saved the registers in the frame.
extension LuaClosure {
  func run(_ frame: FramePointer) {
    let outcome = functions?.inCall { state in call(frame, state) }
    switch outcome {
    case .returned?: break
    case .failed(let failure)?: fail(failure, frame)
    case nil: answerAfterEnd(frame)
    }
    if plan.ownsArguments { consumeArguments(frame) }
  }

  private enum Outcome {
    case returned
    case failed(LuaFailure)
  }

  private func call(_ frame: FramePointer, _ state: LuaState) -> Outcome {
    state.entered {
      guard let coroutine = LuaCoroutine(state) else { return .failed(.noMemory) }
      defer { coroutine.release() }
      pushArguments(frame, coroutine.writer)
      do throws(LuaFailure) {
        let count = try coroutine.call(reference)
        try finish(frame, coroutine, count)
        return .returned
      } catch {
        return .failed(error)
      }
    }
  }

  // MARK: Arguments

  func pushArguments(_ frame: FramePointer, _ writer: LuaWriter) {
    for step in plan.steps {
      if let offset = step.offset {
        let source = UnsafeRawPointer(frame) + offset
        if let plain = step.plain {
          plain.push(source, writer.buffer)
        } else {
          step.codec.push(source, writer)
        }
      } else {
        withArgument(plan.arguments[step.index], frame) { step.codec.push($0, writer) }
      }
    }
  }

  private func withArgument(
    _ argument: CallPlan.Argument, _ frame: FramePointer, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    argument.withValue(frame, scratchBytes: plan.scratchBytes, body)
  }

  func consumeArguments(_ frame: FramePointer) {
    for argument in plan.arguments where argument.isOwned {
      argument.consume(frame, scratchBytes: plan.scratchBytes)
    }
  }

  // MARK: Results

  func finish(_ frame: FramePointer, _ coroutine: LuaCoroutine, _ count: Int) throws(LuaFailure) {
    do throws(ConversionError) {
      let inouts = try InoutValues.read(plan.inouts, after: plan.result, from: coroutine, count)
      if let codec = plan.result {
        var reader = coroutine.reader
        if let plain = codec.plain, let offset = plan.outcome.frameOffset, inouts == nil,
          plain.read(reader.peeked, into: UnsafeMutableRawPointer(frame) + offset)
        {
          return
        }
        try plan.outcome.put(frame) { target throws(ConversionError) in
          try codec.readResult(&reader, into: target)
        }
      }
      inouts?.exchange { $0.location.memory(frame) ?? ValueBox.nowhere }
    } catch {
      let what = count == 0 ? "nothing" : "a wrong value"
      throw LuaFailure(
        kind: .fault,
        message: "\(place): the function for \(plan.typeName) returned \(what): \(error)",
        rawMessage: "", frames: [], swiftError: nil)
    }
  }

  // MARK: Without Lua

  func fail(_ failure: LuaFailure, _ frame: FramePointer) {
    var remedy = ""
    if plan.isThrowing {
      if plan.outcome.setError(raised(failure), frame) { return }
      remedy = " (it can throw \(plan.outcome.thrown?.typeName ?? "") only: `throw` one)"
    }
    // The override that it runs in says so.
    if ActiveCall.innermost?.pointee.isEnding == true { return answerWithoutLua(frame) }
    functions?.options.host.closureFailed(
      OverrideFault(
        function: "closure \(plan.typeName)", message: failure.message + remedy,
        frames: failure.frames, position: failure.position ?? origin))
    answerWithoutLua(frame)
  }

  func answerAfterEnd(_ frame: FramePointer) {
    guard plan.canThrowAnything, !isConstant else { return answerWithoutLua(frame) }
    let reason =
      functions == nil
      ? "stands for one that a Lua function failed to make" : "belongs to a patch that has ended"
    let raised = RaisedError(
      message: "the closure \(plan.typeName) \(reason)", position: origin, frames: [])
    _ = plan.outcome.setError(made(raised), frame)  // it can throw anything
  }

  /// Whether the closure stands for a value instead of a Lua function.
  private var isConstant: Bool {
    if functions == nil, case .value = answer { true } else { false }
  }

  private func raised(_ failure: LuaFailure) -> any Error {
    if let error = failure.swiftError { return error }
    let isExplicit = failure.kind == .explicit
    return made(
      RaisedError(
        message: isExplicit ? failure.rawMessage : failure.message,
        position: failure.position ?? origin, frames: failure.frames))
  }

  /// The host's own error for it.
  private func made(_ raised: RaisedError) -> any Error {
    functions?.options.host.error(for: raised) ?? raised
  }

  private func answerWithoutLua(_ frame: FramePointer) {
    guard plan.result != nil else { return }
    plan.outcome.put(frame) { target in
      switch answer {
      case .neutral(let codec): codec.initializeNeutral(target)
      case .value(let value): value.copy(to: target)
      case .argument(let index):
        let argument = plan.arguments[index]
        withArgument(argument, frame) { argument.codec.copy($0, to: target) }
      case .none: break  // it throws, or returns nothing
      }
    }
  }

  private var place: String { "\(origin.source):\(origin.line ?? 0)" }
}

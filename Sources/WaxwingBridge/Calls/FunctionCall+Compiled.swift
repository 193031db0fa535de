// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
internal import CWaxwingRuntime
internal import WaxwingLua
internal import WaxwingReflection

/// A call by Lua code in a form that C runs without asking Swift: see waxwing_direct.h.
extension FunctionCall {
  /// - Returns: nil: some of it takes Swift.
  func compile() -> UnsafeMutablePointer<waxwing_direct>? {
    if waxwing_takes_long_way() || plan.isAsync || plan.hasOpaque || plan.isInitializer {
      return nil
    }
    guard isolatesNothing, hasPlainMemory, !plan.isVariadic,
      !plan.function.declaration.ignoresOldValue,
      let result = directResult
    else { return nil }
    var direct = waxwing_direct()
    if !compileReceiver(&direct) { return nil }
    if !direct.add(plan.steps) { return nil }
    direct.result = result
    direct.codec = plan.result.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    direct.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    direct.address = UnsafeRawPointer(bitPattern: plan.function.address)
    if case .original(let point) = target {
      direct.point = UnsafeRawPointer(Unmanaged.passUnretained(point).toOpaque())
    }
    direct.passes_made_classes = isOverriddenInVtable
    // Of accessors nothing tells whether they throw.
    if plan.isThrowing || plan.function.declaration.kind.isAccessor {
      direct.raise = state.register { [unowned self] (call) throws(LuaRaise) in
        try raiseThrown(&call)
      }
    }
    let memory = UnsafeMutablePointer<waxwing_direct>.allocate(capacity: 1)
    memory.initialize(to: direct)
    return memory
  }

  /// Lets C make the calls of a callback that is there for this alone.
  func offerDirect(to callback: UnsafeMutablePointer<waxwing_callback>) {
    guard let direct else { return }
    callback.pointee.direct_plan = UnsafeMutableRawPointer(direct)
    callback.pointee.direct = waxwing_run_direct
  }

  private var isolatesNothing: Bool {
    if case .original = target { return true }
    if case .none = plan.isolation { return true }
    return false
  }

  /// Whether a call needs no memory but its frame.
  private var hasPlainMemory: Bool {
    plan.callBytes == 0 && plan.stackBytes == 0 && plan.trailing.isEmpty && plan.variables.isEmpty
      && !plan.consumesReceiver && plan.resultAddress == nil && plan.outcome.thrown == nil
  }

  private func compileReceiver(_ direct: inout waxwing_direct) -> Bool {
    if let codec = plan.objectReceiver, takesReceiver {
      direct.receiver_class = codec.takeUnretainedValue().metadata
      return true
    }
    if case .none = plan.receiver { return !takesReceiver }
    return false
  }

  private var directResult: waxwing_step? {
    plan.selfResult == nil ? plan.outcome.directResult : nil
  }

  /// What the call that C has made has thrown.
  private func raiseThrown(_ call: inout LuaCall) throws(LuaRaise) {
    guard let frame = waxwing_thrown_frame() else { return }
    throw .error(takeError(frame, ValueBox.nowhere, activation))
  }
}

extension CallOutcome {
  /// nil: C cannot move it.
  fileprivate var directResult: waxwing_step? {
    guard let codec = result else { return waxwing_step(WAXWING_MOVE_NOTHING, 0) }
    guard let offset = frameOffset, codec.resultCount == 1 else { return nil }
    if let plain = codec.plain { return waxwing_step(plain.move, offset) }
    return codec is StringCodec ? waxwing_step(WAXWING_MOVE_STRING, offset) : nil
  }
}

extension waxwing_direct {
  /// - Returns: False: there is one that C cannot read.
  fileprivate mutating func add(_ steps: UnsafeBufferPointer<CallStep>) -> Bool {
    if steps.count > Int(WAXWING_MOST_STEPS) { return false }
    make_string = CompiledStrings.make
    make_readable = CompiledStrings.makeReadable
    make_function = LuaClosure.makeCompiled
    for step in steps {
      guard let compiled = step.compiled ?? step.compiledFunction,
        UInt32(compiled.move) != WAXWING_MOVE_FLOAT.rawValue
      else { return false }
      let index = Int(count)
      CArray.write(compiled, to: &self.steps, at: index)
      CArray.write(step.compiledType, to: &types, at: index)
      if UInt32(compiled.move) >= WAXWING_MOVE_OBJECT.rawValue { makes_references = true }
      count += 1
    }
    return true
  }
}

extension ClosurePlan {
  /// A call by Lua code of such a closure; nil: some of it takes Swift. Who asks deallocates it.
  func compile() -> UnsafeMutablePointer<waxwing_direct>? {
    if waxwing_takes_long_way() || isAsync || isThrowing || isCFunction { return nil }
    guard callBytes == 0, stackBytes == 0, inouts.isEmpty, resultAddress == nil,
      let result = outcome.directResult
    else { return nil }
    var direct = waxwing_direct()
    if !direct.add(steps) { return nil }
    direct.result = result
    let memory = UnsafeMutablePointer<waxwing_direct>.allocate(capacity: 1)
    memory.initialize(to: direct)
    return memory
  }
}

extension FieldAccess {
  /// Lets C read or write the property of objects; values that it cannot move go the long way.
  func offerDirect(
    to callback: UnsafeMutablePointer<waxwing_callback>, writes: Bool, in state: LuaState
  ) {
    guard !waxwing_takes_long_way(), let plan = direct(in: state) else { return }
    callback.pointee.direct_plan = plan
    if writes {
      callback.pointee.direct = waxwing_set_stored
    } else {
      callback.pointee.direct = waxwing_get_stored
    }
  }
}

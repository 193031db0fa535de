// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
internal import CWaxwingRuntime
internal import WaxwingLua

/// The call in a form that C runs without asking Swift: see waxwing_override.h.
extension OverrideBody {
  /// - Returns: nil: some of it takes Swift.
  func compile() -> UnsafeMutablePointer<waxwing_override>? {
    if waxwing_takes_long_way() || plan.isAsync || plan.hasOpaque || plan.selfResult != nil {
      return nil
    }
    guard plan.variables.isEmpty, plan.inouts.isEmpty, options.depth > 0,
      plan.steps.count <= Int(WAXWING_MOST_STEPS), let result = plan.compiledResult
    else { return nil }
    var override = waxwing_override()
    if !compileReceiver(&override) { return nil }
    override.result = result
    override.result_class = (plan.result as? ObjectCodec)?.metadata
    for step in plan.steps {
      guard let compiled = step.compiled else { return nil }
      add(compiled, to: &override)
    }
    if plan.consumesReceiver { override.owns_arguments = true }
    describe(&override)
    let memory = UnsafeMutablePointer<waxwing_override>.allocate(capacity: 1)
    memory.initialize(to: override)
    return memory
  }

  private func compileReceiver(_ compiled: inout waxwing_override) -> Bool {
    switch plan.receiver {
    case .object where plan.objectReceiver != nil: compiled.has_receiver = true
    case .none where plan.initializedType == nil: compiled.class_reference = classReference ?? 0
    case .metatype(let type) where plan.initializedType == nil && classReference != nil:
      compiled.class_reference = classReference ?? 0
      compiled.metatype = TypeMetadata.pointer(to: type)
    default: return false
    }
    return true
  }

  private func add(_ step: waxwing_step, to compiled: inout waxwing_override) {
    compiled.add(step)
    if UInt32(step.move) == WAXWING_MOVE_STRING.rawValue { compiled.has_strings = true }
    if step.is_owned { compiled.owns_arguments = true }
  }

  /// Whose call it is, and where it goes if it is not usual.
  private func describe(_ compiled: inout waxwing_override) {
    compiled.state = state.handle
    compiled.gate = override.gate
    compiled.reference = reference
    compiled.keeps_nothing = override.keepsNothing
    compiled.lends = override.callsOriginalsAlone && compiled.has_receiver
    compiled.depth = Int64(options.depth)
    compiled.crumb = options.crumb
    compiled.override = UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque())
    compiled.point = override.point
    compiled.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    compiled.context = Unmanaged.passUnretained(self).toOpaque()
    compiled.run = Override.plainHandler
    compiled.conclude = Self.concludeCompiled
    compiled.make_string = CompiledStrings.make
    compiled.forget = Self.forgetCompiled
  }

  private static let concludeCompiled:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<waxwing_frame>?,
      UnsafeMutablePointer<waxwing_lane>?, UnsafeMutablePointer<waxwing_call_record>?, Int32, Int32
    ) -> Bool = { context, frame, lane, record, status, first in
      guard let context, let frame, let lane, let record else { return false }
      let activation = UnsafeMutableRawPointer(record).assumingMemoryBound(to: Activation.self)
      let taken = LuaLane(taken: lane)
      return Unmanaged<OverrideBody>.fromOpaque(context)._withUnsafeGuaranteedRef { body in
        body.conclude(frame, taken, activation) { () throws(LuaFailure) in
          try taken.outcome(status, first)
        }
      }
    }

  private static let forgetCompiled:
    @convention(c) (UnsafeMutablePointer<waxwing_call_record>?) -> Void = { record in
      guard let record else { return }
      UnsafeMutableRawPointer(record).assumingMemoryBound(to: Activation.self).pointee.forget()
    }
}

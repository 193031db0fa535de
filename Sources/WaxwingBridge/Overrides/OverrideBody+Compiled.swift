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
    let index = Int(compiled.count)
    withUnsafeMutableBytes(of: &compiled.steps) {
      $0.storeBytes(
        of: step, toByteOffset: index * MemoryLayout<waxwing_step>.stride, as: waxwing_step.self)
    }
    compiled.count += 1
    if UInt32(step.move) == WAXWING_MOVE_STRING.rawValue { compiled.has_strings = true }
    if step.is_owned { compiled.owns_arguments = true }
  }

  /// Whose call it is, and where it goes if it is not usual.
  private func describe(_ compiled: inout waxwing_override) {
    compiled.state = state.handle
    compiled.gate = override.gate
    compiled.reference = reference
    compiled.keeps_nothing = override.keepsNothing
    compiled.depth = Int64(options.depth)
    compiled.crumb = options.crumb
    compiled.override = UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque())
    compiled.point = override.point
    compiled.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    compiled.context = Unmanaged.passUnretained(self).toOpaque()
    compiled.run = Override.plainHandler
    compiled.conclude = Self.concludeCompiled
    compiled.make_string = Self.makeString
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

  private static let makeString:
    @convention(c) (UnsafePointer<CChar>?, Int, UnsafeMutableRawPointer?) -> Bool = {
      bytes, count, target in
      guard let string = LuaReader.string(UnsafeRawBufferPointer(start: bytes, count: count))
      else { return false }
      target?.initializeMemory(as: String.self, to: string)
      return true
    }

  private static let forgetCompiled:
    @convention(c) (UnsafeMutablePointer<waxwing_call_record>?) -> Void = { record in
      guard let record else { return }
      UnsafeMutableRawPointer(record).assumingMemoryBound(to: Activation.self).pointee.forget()
    }
}

extension CallPlan {
  /// nil: what is made of the result depends on more than the result.
  fileprivate var compiledResult: waxwing_step? {
    switch ending {
    case .nothing: waxwing_step(WAXWING_MOVE_NOTHING, 0)
    case .plain(let kind, let offset): waxwing_step(kind.move, offset)
    case .codec(let codec, let offset): waxwing_step(codec.takeUnretainedValue().move, offset)
    case .general: waxwing_step(WAXWING_MOVE_OTHER, 0)
    case .instance: nil
    }
  }
}

extension CallStep {
  /// nil: it takes the codec.
  fileprivate var compiled: waxwing_step? {
    guard let offset else { return nil }
    if let plain { return waxwing_step(plain.move, offset, isOwned: isOwned && !plain.isTrivial) }
    guard codec._withUnsafeGuaranteedRef({ $0 is StringCodec }) else { return nil }
    return waxwing_step(WAXWING_MOVE_STRING, offset, isOwned: isOwned)
  }
}

extension ValueCodec {
  fileprivate var move: waxwing_move {
    if self is StringCodec { return WAXWING_MOVE_STRING }
    return self is ObjectCodec ? WAXWING_MOVE_OBJECT : WAXWING_MOVE_OTHER
  }
}

extension PlainKind {
  /// How C moves such values: the numbers are the same.
  var move: waxwing_move { waxwing_move(UInt32(rawValue)) }
}

extension waxwing_step {
  fileprivate init(_ move: waxwing_move, _ offset: Int, isOwned: Bool = false) {
    self.init(move: UInt8(move.rawValue), is_owned: isOwned, offset: UInt16(offset))
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime
internal import WaxwingLua

/// The context of a Swift closure that is made of a Lua function. The function lives as long as it.
///
/// Swift sees an ordinary closure: its code pointer is the stub of all such closures, which calls
/// the handler that stands first in this object (`waxwing_closure_context`).
final class LuaClosure: @unchecked Sendable {
  // C knows where these two are.
  private let handler: UnsafeRawPointer
  private let stackBytes: Int
  let reference: Int32
  let plan: ClosurePlan
  /// nil: it has no Lua function, and never had.
  let functions: LuaFunctions?
  let answer: Answer
  /// Where the function is written.
  let origin: LuaFrame

  /// Takes over `reference`. The state is entered.
  /// - Throws: If no value could stand in for what the function returns, were it to fail.
  init(
    _ reference: Int32, _ plan: ClosurePlan, _ functions: LuaFunctions, in runtime: ScriptRuntime
  ) throws(ConversionError) {
    do throws(ConversionError) {
      answer = try Answer(plan, for: reference, in: runtime.state)
    } catch {
      waxwing_unreference(runtime.state.handle, reference)
      throw error
    }
    precondition(Self.startsWithHandler, "the layout of Swift objects is not the one known")
    handler = Self.handler(plan)
    stackBytes = plan.stackBytes
    self.reference = reference
    self.plan = plan
    self.functions = functions
    origin = runtime.state.origin(of: reference)
    functions.add(self)
  }

  /// Answers without Lua.
  /// - Precondition: The plan's codec has a neutral value.
  init(neutral plan: ClosurePlan) {
    handler = Self.handler(plan)
    stackBytes = plan.stackBytes
    reference = 0
    self.plan = plan
    functions = nil
    answer = plan.canThrowAnything ? .none : plan.result.map(Answer.neutral) ?? .none
    origin = LuaFrame.unknown
  }

  deinit {
    functions?.remove(self)
  }

  /// What is stored as the closure. Owned: at +1.
  var value: FunctionValue {
    guard let code = plan.isAsync ? waxwing_async_closure_pointer() : waxwing_closure_code() else {
      // No plan is made where calls are not supported.
      preconditionFailure("closures cannot be made on this CPU")
    }
    return FunctionValue(code: code, context: Unmanaged.passRetained(self).toOpaque())
  }

  /// The closure behind a function value, if it is one of these.
  static func of(_ value: FunctionValue) -> LuaClosure? {
    guard value.code == waxwing_closure_code() || value.code == waxwing_async_closure_pointer(),
      let context = value.context
    else { return nil }
    return Unmanaged<LuaClosure>.fromOpaque(context).takeUnretainedValue()
  }

  /// One that may be dying: not to be retained.
  static func describe(_ address: UInt) -> LuaFunctions.Held {
    // Never nil: it is an object's.
    let pointer = UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    return Unmanaged<LuaClosure>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      LuaFunctions.Held(origin: $0.origin, typeName: $0.plan.typeName)
    }
  }

  private static let startsWithHandler =
    TypeMetadata.fields(of: LuaClosure.self).first?.offset
    == MemoryLayout<waxwing_closure_context>.offset(of: \.handler)

  private static func handler(_ plan: ClosurePlan) -> UnsafeRawPointer {
    plan.isAsync
      ? unsafeBitCast(step, to: UnsafeRawPointer.self)
      : unsafeBitCast(run, to: UnsafeRawPointer.self)
  }

  private static let step: waxwing_async_handler = { context, run in
    guard let context, let run else { return nil }
    return Unmanaged<LuaClosure>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.step(run) }
  }

  private static let run: waxwing_closure_handler = { context, frame in
    guard let context, let frame else { return }
    Unmanaged<LuaClosure>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frame) }
  }
}

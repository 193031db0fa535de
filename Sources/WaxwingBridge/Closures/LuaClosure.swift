// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// The context of a Swift closure that is made of a Lua function. The function lives as long as it.
///
/// Swift sees an ordinary closure: its code pointer is the stub of all such closures, which calls
/// the handler that stands first in this object (`ClosureCode`).
/// Unchecked: fixed after `init`, but for the links of C's list, which are under its lock.
final class LuaClosure: @unchecked Sendable {
  // C knows where these are, see `layout`.
  private let handler: UnsafeRawPointer
  private let stackBytes: Int
  private let compiled: UnsafeMutablePointer<wax_call_lua_closure_plan>?
  private let held: UnsafeMutablePointer<wax_call_lua_closure>?
  private let older: UnsafeRawPointer? = nil
  private let newer: UnsafeRawPointer? = nil
  let reference: Int32

  let plan: ClosurePlan
  /// The script's functions; nil for a closure that never had a Lua function, and answers by
  /// itself.
  let functions: LuaFunctions?
  let answer: FallbackResult
  private let writtenAt: LuaPlace

  /// Takes over `reference`. The state is entered.
  /// - Throws: If no value could stand in for what the function returns, were it to fail.
  init(
    _ reference: Int32, _ plan: ClosurePlan, _ functions: LuaFunctions, in patch: PatchContext
  ) throws(ConversionError) {
    // Never nil: it has been opened.
    let state = patch.state.unsafelyUnwrapped
    do throws(ConversionError) {
      answer = try FallbackResult(plan, for: reference, in: state)
    } catch {
      wax_lua_unreference(state.handle, reference)
      throw error
    }
    handler = Self.handler(plan)
    stackBytes = plan.stackBytes
    compiled = plan.held
    held = functions.held
    self.reference = reference
    self.plan = plan
    self.functions = functions
    writtenAt = state.place(of: reference)
    wax_call_lua_closure_add(functions.held, asC)
  }

  /// - Precondition: The plan's codec has a neutral value.
  convenience init(neutral plan: ClosurePlan) {
    self.init(
      answering: plan.canThrowAnything ? .none : plan.result.map(FallbackResult.neutral) ?? .none,
      plan)
  }

  /// Returns a value each time it is called, also after the end of the script: an autoclosure's.
  /// - Parameter value: Of the type that the plan's result has.
  convenience init(returning value: StoredValue, _ plan: ClosurePlan) {
    self.init(answering: .value(value), plan)
  }

  /// Creates a closure that answers without Lua.
  private init(answering answer: FallbackResult, _ plan: ClosurePlan) {
    handler = Self.handler(plan)
    stackBytes = plan.stackBytes
    compiled = plan.held
    held = nil
    reference = 0
    self.plan = plan
    functions = nil
    self.answer = answer
    writtenAt = .unknown
  }

  deinit {
    if let held { wax_call_lua_closure_remove(held, asC) }
  }

  private var asC: UnsafeMutablePointer<wax_call_lua_closure_context> {
    Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(
      to: wax_call_lua_closure_context.self)
  }

  /// Where the function is written.
  var origin: LuaFrame { writtenAt.frame }

  /// The function value that is stored as the closure, at +1.
  var value: FunctionValue { Self.value(of: self) }

  static func value(of closure: consuming LuaClosure) -> FunctionValue {
    guard let code = closure.plan.isAsync ? ClosureCode.asynchronous : ClosureCode.synchronous
    else {
      // No plan is made where calls are not supported.
      preconditionFailure("closures cannot be made on this CPU")
    }
    return FunctionValue(code: code, context: Unmanaged.passRetained(closure).toOpaque())
  }

  /// The Lua closure that a function value refers to; nil if it refers to other code.
  static func of(_ value: FunctionValue) -> LuaClosure? {
    guard
      value.code == ClosureCode.synchronous || value.code == ClosureCode.asynchronous,
      let context = value.context
    else { return nil }
    return Unmanaged<LuaClosure>.fromOpaque(context).takeUnretainedValue()
  }

  /// Describes a closure that may be dying, without retaining it.
  static func describe(_ closure: UnsafeMutablePointer<wax_call_lua_closure_context>)
    -> LuaFunctions.Held
  {
    Unmanaged<LuaClosure>.fromOpaque(closure)._withUnsafeGuaranteedRef {
      LuaFunctions.Held(origin: $0.origin, typeName: $0.plan.typeName)
    }
  }

  /// Where these objects have what C reads of them as a `wax_call_lua_closure_context`. The self-check compares both
  /// sides before there is a patch.
  static var layout: [SharedField] {
    typealias InC = wax_call_lua_closure_context
    let fields = TypeMetadata.fields(of: LuaClosure.self)
    func field(_ name: String, _ place: PartialKeyPath<InC>) -> SharedField {
      SharedField(
        name: name, inC: MemoryLayout<InC>.offset(of: place),
        inSwift: fields.first { $0.name == name }?.offset)
    }
    return [
      field("handler", \.handler), field("stackBytes", \.stack_bytes), field("compiled", \.plan),
      field("held", \.held), field("older", \.older), field("newer", \.newer),
      field("reference", \.reference),
    ]
  }

  private static func handler(_ plan: ClosurePlan) -> UnsafeRawPointer {
    if plan.isAsync { return unsafeBitCast(step, to: UnsafeRawPointer.self) }
    return unsafeBitCast(
      plan.held == nil ? run : wax_call_run_lua_closure, to: UnsafeRawPointer.self)
  }

  private static let step: AsyncHandler = { context, run in
    guard let context, let run else { return nil }
    return Unmanaged<LuaClosure>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.step(run) }
  }

  private static let run: ClosureHandler = { context, frame in
    guard let context, let frame else { return }
    Unmanaged<LuaClosure>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frame) }
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
package import WaxwingDeclarations
internal import WaxwingInterception
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// The record of a call that is in an override: the state needed if the override fails. If the
/// original has run, its outcome is kept. It is on the stack of its thread, or of an async function
/// in memory of its own.
package struct ActiveCall {
  var record: wax_call_active

  /// - Parameter isAsync: The call does not stay on this thread.
  init(
    _ override: Override, _ plan: CallPlan, _ frame: FramePointer,
    isAsync: Bool = false
  ) {
    record = wax_call_active()
    record.override = UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque())
    record.gate = UnsafePointer(override.gate)
    record.point = override.point
    record.plan = UnsafeRawPointer(Unmanaged.passUnretained(plan).toOpaque())
    record.receiver = plan.objectReceiver == nil ? 0 : frame.pointee.selfRegister
    record.previous =
      isAsync ? nil : wax_lua_active_call()?.assumingMemoryBound(to: wax_call_active.self)
    record.depth = isAsync ? 1 : Int64(Self.depth) + 1
    record.serial = plan.hasOpaque ? Self.nextSerial() : 0
    record.frame = frame
  }

  private var override: Unmanaged<Override> { Self.reference(record.override) }
  /// The override's, to be compared and not followed.
  private var point: UnsafeRawPointer { record.point }
  /// The plan of the call. The override keeps it alive.
  private var calledPlan: Unmanaged<CallPlan> { Self.reference(record.plan) }
  /// The object that the call is on; 0: it is on none.
  private var receiver: UInt64 { record.receiver }
  /// The next one further out on the same thread.
  fileprivate var previous: UnsafeMutablePointer<ActiveCall>? {
    UnsafeMutableRawPointer(record.previous)?.assumingMemoryBound(to: ActiveCall.self)
  }
  /// How many overrides the thread is in, or of an async function the task, this one counted.
  private var depth: Int { Int(record.depth) }
  /// Tells calls with opaque values apart; 0: the call has none.
  var serial: UInt64 { record.serial }
  /// The registers as the call came in; they stay until it is over.
  var frame: FramePointer { record.frame }

  private(set) var originalRan: Bool {
    get { record.original_ran }
    set { record.original_ran = newValue }
  }

  /// Whether the original has the caller's own variables, so that no other code may look at them.
  var lendsVariables: Bool {
    get { record.lends_variables }
    set { record.lends_variables = newValue }
  }

  /// The reference of the function that may be lent what originals return; 0: none.
  var lendsResults: Int32 {
    get { record.lends_results }
    set { record.lends_results = newValue }
  }

  /// The values that the Lua function is lent; nil if there are none.
  var lent: UnsafeMutablePointer<wax_lua_lent_set>? {
    get { record.lent }
    set { record.lent = newValue }
  }

  /// The error that the original threw last is of a type that is not known.
  private(set) var originalThrewOpaque: Bool {
    get { record.original_threw_opaque }
    set { record.original_threw_opaque = newValue }
  }

  /// The two words of the caller's actor, for a function that runs where its caller does.
  var callerActor: (UInt64, UInt64) {
    get { record.caller_actor }
    set { record.caller_actor = newValue }
  }

  /// The error that the original threw, which this owns; 0: none.
  private var errorWord: UInt64 {
    get { record.error }
    set { record.error = newValue }
  }

  /// The codec of the original's last result. The plan keeps it alive.
  private var codec: Unmanaged<ValueCodec>? {
    get { record.codec.map(Self.reference) }
    set { record.codec = newValue.map { UnsafeRawPointer($0.toOpaque()) } }
  }

  /// The original's last result, if it does not fit in place.
  private var box: UnsafeMutableRawPointer? {
    get { record.box }
    set { record.box = newValue }
  }

  /// The values that the original gave to its caller's variables; owned.
  private var inouts: Unmanaged<InoutValues>? {
    get { record.inouts.map { Unmanaged.fromOpaque($0) } }
    set { record.inouts = newValue?.toOpaque() }
  }

  private static let placeSize = 8 * Int(WAX_CALL_PLACE_WORDS)
  /// Where a result that is small is kept, in bytes.
  private static let placeOffset: Int = {
    // Never nil: it is a C structure.
    MemoryLayout<wax_call_active>.offset(of: \.place).unsafelyUnwrapped
  }()

  private static func reference<Object: AnyObject>(_ word: UnsafeRawPointer) -> Unmanaged<Object> {
    Unmanaged.fromOpaque(word)
  }

  /// The plan of the call: an override of a generic function has several.
  package var plan: CallPlan { calledPlan.takeUnretainedValue() }

  /// Makes this the innermost active call of its thread.
  static func enter(_ active: UnsafeMutablePointer<ActiveCall>) {
    wax_lua_set_active_call(active)
  }

  /// Takes the call off the list. The values that it saved are to be released once the state is
  /// left, because deinitializers may run.
  static func leave(_ active: UnsafeMutablePointer<ActiveCall>) {
    wax_lua_set_active_call(active.pointee.previous)
  }

  /// The layer of the override.
  var layer: InstalledOverride.Reference? { override._withUnsafeGuaranteedRef { $0.layer } }

  /// The override that runs; alive as long as the call.
  package var running: Override { override.takeUnretainedValue() }

  /// The script's overrides at the point of this call's override; nil if it belongs to another
  /// script. The script keeps them as long as the override.
  package func overrides(in state: LuaState) -> PointOverrides? {
    guard running.state === state else { return nil }
    return Unmanaged<PointOverrides>.fromOpaque(point).takeUnretainedValue()
  }

  /// Lets C make the calls of `original` in the override, as it makes those of `self:ORIGname`.
  package func offerOriginal(_ original: any LuaCallable) {
    let gate = running.gate
    guard gate.pointee.original == nil, let function = original as? FunctionCall,
      let direct = function.direct
    else { return }
    gate.pointee.original_plan = UnsafeMutableRawPointer(direct)
    gate.pointee.original = function.directFunction
  }

  /// Where the call was made, and where the functions were that led to it, the innermost first. Only for the
  /// call that is running.
  package func callers(atMost most: Int) -> [UInt] {
    guard let frame = record.frame else { return [] }
    return plan.isAsync
      ? CallerAddresses.awaiting(frame, atMost: most)
      : CallerAddresses.onStack(of: frame, atMost: most)
  }

  private static let serials = Atomic<UInt64>(0)

  private static func nextSerial() -> UInt64 {
    serials.add(1, ordering: .relaxed).newValue
  }

  /// Whether this thread, or the task that it runs, is in the call of this serial number.
  static func isRunning(_ serial: UInt64) -> Bool {
    ActiveCalls().contains { $0.pointee.serial == serial }
  }

  /// How many overrides this thread is in, one called by the other.
  static var depth: Int { innermost?.pointee.depth ?? 0 }

  /// The innermost active call of this thread.
  package static var innermost: UnsafeMutablePointer<ActiveCall>? {
    wax_lua_active_call()?.assumingMemoryBound(to: ActiveCall.self)
  }

  /// The innermost of this thread's active calls that is in an override at a point.
  static func innermost(at point: PointOverrides) -> UnsafeMutablePointer<ActiveCall>? {
    let wanted = UnsafeRawPointer(Unmanaged.passUnretained(point).toOpaque())
    return ActiveCalls().first { $0.pointee.point == wanted }
  }

  /// The innermost of this thread's active calls that is in an override at a point and initializes this object.
  static func innermost(
    at point: PointOverrides, initializing object: UInt64
  ) -> UnsafeMutablePointer<ActiveCall>? {
    let wanted = UnsafeRawPointer(Unmanaged.passUnretained(point).toOpaque())
    return ActiveCalls().first {
      $0.pointee.point == wanted && $0.pointee.frame.pointee.selfRegister == object
    }
  }

  /// Whether an original that is called on this receiver decides the outcome of the call. A script
  /// may also call the original on other objects, and a generic one for other types.
  func isOn(_ receiver: UInt64, _ plan: CallPlan) -> Bool {
    let isSamePlan = calledPlan.toOpaque() == Unmanaged.passUnretained(plan).toOpaque()
    guard isSamePlan || calledPlan._withUnsafeGuaranteedRef({ $0.hasOutcome(of: plan) })
    else { return false }
    return self.receiver == 0 || plan.objectReceiver == nil || self.receiver == receiver
  }

  /// The index of the point in whose override this thread is, innermost call first; nil if it is in
  /// none.
  static func innermost(among points: [PointOverrides]) -> Int? {
    for active in ActiveCalls() {
      let running = active.pointee.point
      if let index = points.firstIndex(where: {
        UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) == running
      }) {
        return index
      }
    }
    return nil
  }

  /// The types that the overrides of static methods are members of which this thread is in, innermost
  /// first.
  package static var ownersOfStaticOverrides: [NominalType] {
    ActiveCalls().compactMap { active in
      let declaration = active.pointee.running.function.declaration
      return declaration.isStatic ? declaration.context.memberOf : nil
    }
  }

  /// The types that the overrides of methods of `object` are members of which this thread is in,
  /// innermost first.
  static func owners(
    ofOverridesOn object: UnsafeMutableRawPointer
  ) -> [NominalType] {
    ActiveCalls().compactMap { active in
      active.pointee.isOn(object)
        ? active.pointee.running.function.declaration.context.memberOf : nil
    }
  }

  /// The class of Lua's whose override of a method of `object` this thread is in, the innermost; nil: none.
  static func luaClass(ofOverridesOn object: UnsafeMutableRawPointer) -> LuaClass? {
    ActiveCalls().first { $0.pointee.isOn(object) }?.pointee.running.target?.luaClass
  }

  private func isOn(_ object: UnsafeMutableRawPointer) -> Bool {
    receiver == UInt64(UInt(bitPattern: object))
  }

  /// The initializer of which the innermost override of this thread is, if it is for a class of Lua's.
  package static func initializer(of luaClass: LuaClass) -> RunningFunction? {
    guard let running = innermost?.pointee.running, running.target?.luaClass === luaClass,
      running.function.declaration.kind == .initializer
    else { return nil }
    return running.function
  }

  /// Takes over the result at `result`; nil for functions that return nothing.
  mutating func originalReturned(_ result: UnsafeMutableRawPointer?, _ codec: ValueCodec?) {
    forgetOutcome()
    originalRan = true
    guard let result, let codec else { return }
    self.codec = .passUnretained(codec)
    if codec.plain?.isTrivial != true { record.owns = true }
    if codec.size <= Self.placeSize, codec.isBitwiseTakable {
      withUnsafeMutableBytes(of: &record.place) {
        $0.baseAddress?.copyMemory(from: result, byteCount: codec.size)
      }
    } else {
      let box = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
      codec.copy(result, to: box)
      codec.destroy(result)
      self.box = box
    }
  }

  mutating func originalThrew(_ error: any Error) {
    forgetOutcome()
    originalRan = true
    originalThrewOpaque = error is OpaqueError
    errorWord = SwiftErrorBox.make(error)
    record.owns = true
  }

  /// Takes over what the original, which keeps all it returns in registers, has left in the frame of its
  /// call.
  mutating func settle(_ outcome: FramePointer, _ plan: CallPlan) {
    if outcome.pointee.thrownError != 0 {
      originalThrew(plan.outcome.takeError(outcome, scratch: ValueBox.nowhere, plan))
    } else {
      let result = plan.result.map {
        plan.outcome.collect($0, outcome, scratch: ValueBox.nowhere)
      }
      originalReturned(result, plan.result)
    }
  }

  /// Whether the original ended with an error when it ran last.
  var originalHasThrown: Bool { errorWord != 0 }

  /// The error that the original threw, for a caller of its own.
  mutating func takeError() -> (any Error)? {
    guard errorWord != 0 else { return nil }
    defer { errorWord = 0 }
    return SwiftErrorBox.take(errorWord)
  }

  /// Keeps copies of the values that the original gave to its caller's variables.
  mutating func saveInouts(
    _ places: [UnsafeMutableRawPointer], _ arguments: [CallPlan.Argument]
  ) {
    inouts?.release()
    let values = InoutValues(arguments)
    for (index, place) in places.enumerated() { values.copy(place, at: index) }
    inouts = .passRetained(values)
    record.owns = true
  }

  /// Takes the values that the original gave to its caller's variables, if it has run.
  mutating func takeInouts() -> InoutValues? {
    defer { inouts = nil }
    return inouts?.takeRetainedValue()
  }

  /// Where the original's last result is, if it is of the codec's type.
  static func savedResult(
    of active: UnsafeMutablePointer<ActiveCall>, _ codec: ValueCodec
  ) -> UnsafeMutableRawPointer? {
    guard let known = active.pointee.codec,
      known.toOpaque() == Unmanaged.passUnretained(codec).toOpaque()
    else { return nil }
    return active.pointee.box ?? UnsafeMutableRawPointer(active) + placeOffset
  }

  /// The value that the original gave to one of its caller's variables.
  func savedVariable(_ index: Int) -> UnsafeMutableRawPointer? {
    inouts?._withUnsafeGuaranteedRef { $0.value(at: index) }
  }

  /// Runs `body` with the saved result, which is moved out: nil if the function returns nothing.
  mutating func takeResult(_ body: (UnsafeMutableRawPointer?) -> Void) {
    guard codec != nil else { return body(nil) }
    codec = nil
    if let box {
      body(box)
      box.deallocate()
      self.box = nil
    } else {
      withUnsafeMutableBytes(of: &record.place) { body($0.baseAddress) }
    }
  }

  /// Releases the values that the call saved.
  mutating func forget() {
    forgetNesting()
    _ = takeInouts()
    forgetOutcome()
    lent?.end()
    lent = nil
  }

  private mutating func forgetOutcome() {
    SwiftErrorBox.release(errorWord)
    errorWord = 0
    guard let codec else { return }
    takeResult { result in
      if let result { codec.destroy(result) }
    }
  }
}

extension CallPlan {
  /// Whether a call by another plan of the same function leaves what this one's would.
  fileprivate func hasOutcome(of other: CallPlan) -> Bool {
    result?.type == other.result?.type && variables.isEmpty && other.variables.isEmpty
  }
}

/// The active calls of this thread, the innermost first.
struct ActiveCalls: Sequence, IteratorProtocol {
  private var current = ActiveCall.innermost

  mutating func next() -> UnsafeMutablePointer<ActiveCall>? {
    defer { current = current?.pointee.previous }
    return current
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingDeclarations
package import WaxwingInterception
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// A Lua function that stands in for a Swift function: one that the script gave, or the one that runs
/// all of its `before` and `after` advice there.
/// Unchecked: what changes is atomic, under a lock of its own, or under the state's lock.
package final class Override: @unchecked Sendable {
  /// The behaviour on errors that the script did not raise on purpose, in throwing functions.
  package enum OnError: Sendable {
    case original
    case `throw`
  }

  /// How the registers of its calls are to be read.
  package enum Form {
    case plain(CallPlan)
    indirect case generic(GenericFunction, GenericEntry)
  }

  /// Where an override belongs among those of its patch and point.
  package enum Role: Sendable {
    /// A function of the script's: assigned, or advice `instead`.
    case replacement
    /// The advice `before` and `after`: around all replacements.
    case observers
  }

  /// Objects of which class an override is for, where not for all.
  package final class Target: Sendable {
    package let luaClass: LuaClass
    /// Whether the override replaces words of vtables instead of the function's entry.
    package let isInVtable: Bool
    /// Where in the metadata the vtable has the function, in bytes; nil: it does not.
    package let offset: Int?
    let isStatic: Bool

    package init(luaClass: LuaClass, isInVtable: Bool, offset: Int?, isStatic: Bool) {
      self.luaClass = luaClass
      self.isInVtable = isInVtable
      self.offset = offset
      self.isStatic = isStatic
    }

    /// The function's word in the vtable of the class, or of one below it; nil: it is in none.
    package func vtableWord(
      in made: LuaClass
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
      offset.map {
        (made.metadata + $0).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      }
    }

    /// The class and those below it.
    package var classes: [LuaClass] { luaClass.withDescendants }
  }

  package let function: RunningFunction
  package let role: Role
  /// The class for whose objects the override is; nil if it is for all objects.
  package let target: Target?
  /// The address of its `PointOverrides`, to be compared and not followed.
  let point: UnsafeRawPointer
  /// Bytes of arguments on the stack.
  package var stackBytes: Int {
    switch form {
    case .plain(let plan): plan.stackBytes
    case .generic(_, let entry): entry.stackBytes
    }
  }
  /// Where the script declares it.
  package var declaredAt: LuaFrame? { first.declaredAt }
  let state: LuaState
  let reference: Int32
  /// The things that the Lua function can do with the values that it sees; for advice, the things
  /// that all pieces together can do. Read and written with the state entered.
  private(set) var keeping: wax_proxy_keeping
  /// The values that the Lua function of a replacement only passes on.
  let passing: wax_proxy_passing
  let classReference: Int32?
  private let sharedOptions: SharedOptions
  var options: ScriptOptions { sharedOptions.value }
  private let form: Form
  // Set once, in `init`.
  private var invoker: OverrideInvoker?
  /// The invokers of a generic function, one for each list of types; nil if the function is not
  /// generic.
  private let invokers: GenericInvokers?

  /// The overrides in the other Lua states of a parallel patch. Unchecked: set once, before the
  /// layer is installed.
  @exclusivity(unchecked) package nonisolated(unsafe) var replicas: OverrideReplicas?
  /// The one that it is a replica of, which keeps it.
  /// Unchecked: set once, before the layer is installed.
  @exclusivity(unchecked) unowned(unsafe) nonisolated(unsafe) var primary: Override?

  /// How many calls of its original are made from outside it, by closures of the script. Used by the
  /// thread that has entered the state.
  var outsideCalls = 0

  private let removed = Atomic<Bool>(false)
  private let off = Atomic<Bool>(false)
  /// The gate that decides which calls enter the override, and counts them.
  let gate: UnsafeMutablePointer<wax_call_gate>
  /// The pieces of an observer; nil for a replacement, which has one piece for good.
  private let observing: ObserverPieces?
  /// The piece that it was made of.
  private let first: AdvicePiece
  /// The only piece of a replacement.
  private var single: AdvicePiece? { role == .replacement ? first : nil }

  /// The address of its history, at +1; 0: there is none.
  // Not a LazyReference: where a generic type is another module's, each look asks the runtime for it.
  private let historyWord = Atomic<UInt>(0)
  /// The history of the override's calls; nil if there is nothing to note.
  var pastHistory: OverrideHistory? {
    Self.history(historyWord.load(ordering: .acquiring))?.takeUnretainedValue()
  }
  /// Made when it is needed: most overrides never fail.
  package var history: OverrideHistory {
    if let pastHistory { return pastHistory }
    let new = Unmanaged.passRetained(OverrideHistory())
    let (isFirst, first) = historyWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let known = Self.history(first) else { return new.takeUnretainedValue() }
    new.release()
    return known.takeUnretainedValue()
  }

  private static func history(_ word: UInt) -> Unmanaged<OverrideHistory>? {
    guard let pointer = UnsafeRawPointer(bitPattern: word) else { return nil }
    return Unmanaged.fromOpaque(pointer)
  }

  /// - Parameters:
  ///   - piece: What it is made of, or the first of it.
  ///   - reference: The Lua function, as a registry reference of `state`.
  ///   - target: Of which class's objects it is for; nil: for all.
  ///   - classReference: What the script has for the type, which static methods get as `self`.
  ///   - options: Whose `report` is called after each fault, on the calling thread with the state
  ///     left.
  package init(
    _ form: Form, _ role: Role, _ piece: AdvicePiece, at point: PointOverrides, reference: Int32,
    classReference: Int32?, for target: Target? = nil, in state: LuaState, options: SharedOptions
  ) {
    self.form = form
    self.role = role
    gate = Self.makeGate()
    self.target = target
    self.point = UnsafeRawPointer(Unmanaged.passUnretained(point).toOpaque())
    observing = role == .replacement ? nil : ObserverPieces(piece)
    first = piece
    switch form {
    case .plain(let plan): (function, invokers) = (plan.function, nil)
    case .generic(let generic, _): (function, invokers) = (generic.function, GenericInvokers())
    }
    self.reference = reference
    keeping =
      role == .observers
      ? piece.keeping : state.entered { wax_proxy_find_keeping(state.handle, reference) }
    passing =
      role == .observers
      ? wax_proxy_passing()
      : state.entered { wax_proxy_find_passing(state.handle, reference) }
    self.classReference = classReference
    self.state = state
    sharedOptions = options
    if case .plain(let plan) = form { invoker = OverrideInvoker(plan, of: self) }
    settleAdmission()
  }

  deinit {
    gate.deallocate()
    Self.history(historyWord.load(ordering: .acquiring))?.release()
  }

  /// Makes a gate on a cache line of its own: each call writes to it, and calls in a parallel
  /// patch's states would otherwise slow each other down.
  private static func makeGate() -> UnsafeMutablePointer<wax_call_gate> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(WAX_CALL_CACHE_LINE), alignment: Int(WAX_CALL_CACHE_LINE))
    return memory.initializeMemory(as: wax_call_gate.self, to: wax_call_gate())
  }

  /// Attaches the layer below which `ORIG` calls continue, before the layer is installed, or when
  /// it replaces another.
  package func attach(_ layer: InstalledOverride.Reference) {
    for each in [self] + others {
      wax_call_gate_install(each.gate, UnsafeRawPointer(layer.pointer))
    }
  }

  /// The function's whole name with its labels: `Bank.Account.deposit(_:memo:)`.
  var functionName: String { history.functionName.text { function.declaration.qualifiedName } }

  var layer: InstalledOverride.Reference? {
    InstalledOverride.Reference(wax_call_gate_layer(gate))
  }

  private var others: [Override] { replicas?.others ?? [] }

  /// Calls that came here so far.
  package var calls: Int {
    others.reduce(Int(wax_call_gate_calls(gate))) { $0 + $1.calls }
  }
  /// The number of calls in which the override failed.
  package var faults: Int {
    others.reduce(pastHistory?.faults ?? 0) { $0 + $1.faults }
  }
  package var lastFault: OverrideFault? {
    others.compactMap(\.lastFault).reduce(pastHistory?.lastFault) { last, fault in
      guard let last else { return fault }
      return fault.at > last.at ? fault : last
    }
  }

  /// The handler of the layer of a function that is not async; it is called with `context`.
  package var handler: SynchronousHandler {
    replicas == nil ? ownHandler : OverrideReplicas.handler
  }

  /// The handler of the layer of an async function; it is called with `context`.
  package var asyncHandler: AsyncHandler {
    replicas == nil ? ownAsyncHandler : OverrideReplicas.asyncHandler
  }

  package var isAsync: Bool { function.isAsync }

  /// A note about where the function runs; nil if there is none.
  package var isolationNote: String? {
    guard case .plain(let plan) = form else { return nil }
    return plan.isolationNote
  }

  var ownHandler: SynchronousHandler {
    switch form {
    case .plain: invoker?.compiled == nil ? Self.plainHandler : wax_call_run_override
    case .generic: Self.genericHandler
    }
  }

  var ownAsyncHandler: AsyncHandler {
    switch form {
    case .plain: invoker?.compiled == nil ? Self.plainAsyncHandler : wax_call_step_override
    case .generic: Self.genericAsyncHandler
    }
  }

  /// The handler of an async function that is not generic; its context is an `OverrideInvoker`.
  static let plainAsyncHandler: AsyncHandler = { context, asyncCall in
    guard let context, let asyncCall else { return nil }
    return Unmanaged<OverrideInvoker>.fromOpaque(context)._withUnsafeGuaranteedRef { invoker in
      if asyncCall.pointee.handlerState == nil, let frame = asyncCall.pointee.callFrame,
        !invoker.override.admits(frame.pointee.selfRegister)
      {
        asyncCall.pointee.isDeclined = true
        return nil
      }
      return invoker.step(asyncCall)
    }
  }

  private static let genericAsyncHandler: AsyncHandler = { context, asyncCall in
    guard let context, let asyncCall else { return nil }
    return Unmanaged<Override>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.stepGeneric(asyncCall)
    }
  }

  /// The handler of a function that is neither async nor generic; its context is an
  /// `OverrideInvoker`.
  static let plainHandler: SynchronousHandler = { context, frame in
    guard let context, let frame else { return false }
    return Unmanaged<OverrideInvoker>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frame) }
  }

  private static let genericHandler: SynchronousHandler = { context, frame in
    guard let context, let frame else { return false }
    return Unmanaged<Override>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.runGeneric(frame)
    }
  }

  /// Unretained: the owner of the layer keeps this object as long as the layer.
  package var context: UnsafeMutableRawPointer {
    replicas.map { Unmanaged.passUnretained($0).toOpaque() } ?? ownContext
  }

  var ownContext: UnsafeMutableRawPointer {
    if let compiled = invoker?.compiled { return UnsafeMutableRawPointer(compiled) }
    return invoker.map { Unmanaged.passUnretained($0).toOpaque() }
      ?? Unmanaged.passUnretained(self).toOpaque()
  }

  /// Counts a call. Only the thread that has entered the state writes, so a load and a store are
  /// enough.
  @inline(__always)
  func countCall() {
    wax_call_gate_count(gate)
  }

  /// Counts and reports the failure of one of its pieces. The state is left.
  package func fail(_ fault: OverrideFault, _ piece: AdvicePiece?) {
    piece?.failed(fault)
    fail(fault)
  }

  /// Calls that went to the program's own code without entering Lua.
  package var bypassed: Int { pastHistory?.bypassed ?? 0 }

  /// The reasons why calls did not enter Lua.
  package var bypassReasons: [Bypass] { pastHistory?.bypassReasons ?? [] }

  /// Switches the override off for good: no call enters it any more.
  func switchOff() {
    for each in [self] + others {
      each.off.store(true, ordering: .releasing)
      each.admit(WAX_CALL_ADMITS_NONE)
    }
  }
}

// MARK: - What it is made of

extension Override {
  /// The pieces of advice `before` and `after`, in order of adding.
  private final class ObserverPieces: Sendable {
    let pieces: Mutex<[AdvicePiece]>

    init(_ first: AdvicePiece) {
      pieces = Mutex([first])
    }
  }

  private var allPieces: [AdvicePiece] { observing?.pieces.withLock(\.self) ?? [first] }

  private func admit(_ admission: wax_call_admission) {
    wax_call_gate_admit(gate, UInt8(admission.rawValue))
  }

  /// The pieces that are not removed, and the last that are; in order of adding.
  package var pieces: [Piece] {
    let counts = role == .replacement ? self : nil
    let replicated = others.map(\.allPieces)
    return allPieces.enumerated().map { index, piece in
      Piece(piece, of: counts, replicas: replicated.filter { index < $0.count }.map { $0[index] })
    }
  }

  /// The last of its pieces has been removed: no call enters it any more.
  var isRemoved: Bool { removed.load(ordering: .acquiring) }

  /// Whether the override's only piece runs for one call.
  var isOnce: Bool { single?.isOnce ?? false }

  /// Whether a call on this object (0: on none) is to enter Lua. A replacement's piece that is there for one
  /// call has had it then.
  @inline(__always)
  func admits(_ object: UInt64) -> Bool {
    wax_call_gate_admission(gate) == WAX_CALL_ADMITS_ALL.rawValue || admitsSome(object)
  }

  private func admitsSome(_ object: UInt64) -> Bool {
    if isRemoved || off.load(ordering: .acquiring) { return false }
    if let target, !target.luaClass.isClass(of: object, isType: target.isStatic) { return false }
    let object = UnsafeRawPointer(bitPattern: UInt(object))
    if let single { return single.claims(object) }
    return observing?.pieces.withLock { $0.contains { $0.admits(object) } } ?? false
  }

  /// - Precondition: It is not a replacement.
  package func add(_ piece: AdvicePiece) {
    observing?.pieces.withLock { $0.append(piece) }
    keeping = wax_proxy_keeping(min(keeping.rawValue, piece.keeping.rawValue))
    if let compiled = invoker?.compiled { compiled.pointee.keep(as: keeping) }
    settleAdmission()
  }

  /// A piece has ended.
  /// - Returns: Whether another is left.
  func settle() -> Bool {
    observing?.pieces.withLock { pieces in
      if pieces.count(where: { !$0.isLive }) > Self.mostEnded,
        let first = pieces.firstIndex(where: { !$0.isLive })
      {
        pieces.remove(at: first)
      }
    }
    return settleAdmission()
  }

  /// Ended pieces that are kept for people to see.
  private static let mostEnded = 16

  /// - Returns: False: it is removed already.
  func remove() -> Bool {
    admit(WAX_CALL_ADMITS_NONE)
    return !removed.exchange(true, ordering: .acquiringAndReleasing)
  }

  package func piece(_ advice: OpaquePointer) -> AdvicePiece? {
    allPieces.first { $0.advice == advice }
  }

  /// - Returns: Whether a piece is there.
  @discardableResult
  private func settleAdmission() -> Bool {
    let live = allPieces.filter(\.isLive)
    let isOpen =
      target == nil && live.contains { $0.isUnconditional && !(role == .replacement && $0.isOnce) }
    let isOff = off.load(ordering: .acquiring)
    admit(
      live.isEmpty || isOff
        ? WAX_CALL_ADMITS_NONE : isOpen ? WAX_CALL_ADMITS_ALL : WAX_CALL_ADMITS_SOME)
    if off.load(ordering: .acquiring) { admit(WAX_CALL_ADMITS_NONE) }
    return !live.isEmpty
  }
}

// MARK: - Generic functions

extension Override {
  /// The invokers of a generic function, one for each list of types that calls have come with.
  private final class GenericInvokers: Sendable {
    let known = Mutex<[GenericInvoker]>([])
  }

  /// The invoker for calls whose registers tell these types.
  private struct GenericInvoker {
    let words: [UInt]
    let invoker: OverrideInvoker
  }

  private func runGeneric(_ frame: FramePointer) -> Bool {
    guard admits(frame.pointee.selfRegister), let invoker = genericInvoker(frame) else {
      return false
    }
    return invoker.runAdmitted(frame)
  }

  private func stepGeneric(
    _ asyncCall: UnsafeMutablePointer<AsyncCall>
  ) -> UnsafePointer<Suspension>? {
    if let state = asyncCall.pointee.handlerState {
      // The activity keeps neither itself nor its invoker, but this does.
      let activity = Unmanaged<OverrideActivity>.fromOpaque(state)
      return activity._withUnsafeGuaranteedRef { $0.invoker }.step(asyncCall)
    }
    guard let frame = asyncCall.pointee.callFrame, admits(frame.pointee.selfRegister),
      let invoker = genericInvoker(frame)
    else {
      asyncCall.pointee.isDeclined = true
      return nil
    }
    return invoker.step(asyncCall)
  }

  /// The invoker for the types of this call; nil if the call is of types that cannot cross, and
  /// goes to the original.
  private func genericInvoker(_ frame: FramePointer) -> OverrideInvoker? {
    guard case .generic(let stated, let usual) = form, let invokers else { return nil }
    let (generic, entry) = usual.settled(stated, frame)
    let words = entry.words(frame)
    if let known = invokers.known.withLock({ $0.first { $0.words == words }?.invoker }) {
      return known
    }
    do throws(PlanError) {
      let invoker = OverrideInvoker(try generic.plan(entry.types(words)), of: self)
      invokers.known.withLock { $0.append(GenericInvoker(words: words, invoker: invoker)) }
      return invoker
    } catch {
      fail(
        OverrideFault(
          function: functionName,
          message: "a call with types that cannot cross went to the original: \(error)", frames: [],
          position: declaredAt))
      return nil
    }
  }
}

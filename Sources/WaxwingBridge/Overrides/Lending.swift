// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Glibc
internal import WaxwingLua
internal import WaxwingValues

/// The values that an override's function is lent instead of getting copies, because its code only
/// passes them on: see wax_lua_lent.h.
struct Lending {
  /// Whether each of the plan's arguments is lent, by index; empty if none is.
  let arguments: [Bool]
  /// Whether the results of originals are lent.
  let results: Bool

  /// The upvalue of the function that has the globals in which it finds `original`; 0 if there is
  /// none. Nothing is lent while these globals are not the engine's.
  let globals: UInt8

  static let nothing = Lending(arguments: [], results: false, globals: 0)

  private init(arguments: [Bool], results: Bool, globals: UInt8) {
    self.arguments = arguments
    self.results = results
    self.globals = globals
  }

  /// - Parameter first: Which of the function's values the first argument is; nil: that depends on
  ///   the call.
  init(_ plan: CallPlan, _ passing: wax_proxy_passing, first: Int?) {
    Self.prepare
    guard let first else {
      self = .nothing
      return
    }
    let lent = plan.arguments.enumerated().map { index, argument in
      let bit = first + index
      guard bit < 32 else { return false }
      // A variable that is passed on twice is not what it was before.
      let values = argument.isInout ? passing.once : passing.only_passed
      return values >> UInt32(bit) & 1 != 0 && argument.isLendable
    }
    arguments = lent.contains(true) ? lent : []
    let makesInstance = if case .instance = plan.resultStrategy { true } else { false }
    results = passing.results && !makesInstance && !plan.hasOpaque && Self.isRebuilt(by: plan)
    globals = passing.globals
  }

  /// Whether what an original gives back is worth being lent.
  private static func isRebuilt(by plan: CallPlan) -> Bool {
    if let result = plan.result, result.isRebuilt, result.resultCount == 1 { return true }
    return plan.inouts.contains { $0.isLendable }
  }

  /// Whether a call of the function that begins now is lent anything. The state is entered.
  func stands(_ coroutine: LuaCoroutine, _ reference: Int32) -> Bool {
    if arguments.isEmpty && !results { return false }
    return globals == 0
      || wax_proxy_original_stands(coroutine.raw.pointee.L, reference, Int32(globals))
  }

  /// Whether the argument at `index` is lent.
  func lends(_ index: Int) -> Bool { !arguments.isEmpty && arguments[index] }

  /// Tells C how to write a lent value for Lua when it has to be shown.
  private static let prepare: Void = wax_lua_set_lent_writer { lent, buffer in
    guard let lent, let buffer, let codec = lent.pointee.codec, let value = lent.pointee.value
    else { return }
    let call = lent.pointee.call?.assumingMemoryBound(to: ActiveCall.self)
    if lent.pointee.argument >= 0, let call, call.pointee.lendsVariables {
      let index = Int(lent.pointee.argument)
      if call.pointee.plan.arguments[index].isInout {
        return LuaWriter(buffer).string("(a variable that the original has)")
      }
    }
    Unmanaged<ValueCodec>.fromOpaque(codec).push(value, LuaWriter(buffer))
  }
}

extension CallPlan.Argument {
  fileprivate var isLendable: Bool { codec.isRebuilt || isInout && codec.isBoxing }
}

extension UnsafeMutablePointer where Pointee == ActiveCall {
  /// Writes the argument at `index` as a lent value.
  /// - Returns: False: no more can be lent, or it is not worth it, and nothing is written.
  func lend(_ index: Int, _ buffer: UnsafeMutablePointer<wax_lua_buffer>) -> Bool {
    let plan = pointee.plan
    let argument = plan.arguments[index]
    if let memory = argument.location.memory(pointee.frame) {
      guard argument.codec.isLent(memory), let lent = add(argument.codec) else { return false }
      lent.pointee.value = memory
      lent.pointee.argument = Int32(index)
      wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_LENT, lent)
      return true
    }
    return argument.withValue(pointee.frame, scratchBytes: plan.scratchBytes) {
      lend(copyOf: $0, argument.codec, buffer)
    }
  }

  /// Writes what an original has returned, or made of a variable, as a lent value, if the function of
  /// the override, which has called it, only passes that on.
  /// - Parameter call: That of the original.
  /// - Returns: False: nothing is written.
  func lend(
    _ source: UnsafeRawPointer, _ codec: ValueCodec, to call: LuaCall
  ) -> Bool {
    guard codec.isRebuilt || codec.isBoxing, codec.resultCount == 1 else { return false }
    let reference = pointee.lendsResults
    guard reference != 0, wax_lua_is_called_by(call.raw.pointee.L, reference) else { return false }
    return lend(copyOf: source, codec, call.writer.buffer)
  }

  private func lend(
    copyOf source: UnsafeRawPointer, _ codec: ValueCodec,
    _ buffer: UnsafeMutablePointer<wax_lua_buffer>
  ) -> Bool {
    guard codec.isLent(source), let lent = add(codec) else { return false }
    let place = UnsafeMutableRawPointer(lent) + Self.placeOffset
    let isSmall =
      codec.size <= MemoryLayout<UInt64>.size * Int(WAX_LUA_LENT_WORDS) && codec.alignment <= 8
    let memory =
      isSmall ? place : ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    codec.copy(source, to: memory)
    lent.pointee.value = memory
    lent.pointee.argument = -1
    wax_lua_buffer_add_pointer(buffer, WAX_LUA_VALUE_LENT, lent)
    return true
  }

  private func add(_ codec: ValueCodec) -> UnsafeMutablePointer<wax_lua_lent>? {
    guard let lent = wax_lua_lent_add(&pointee.lent, self) else { return nil }
    lent.pointee.codec = UnsafeRawPointer(Unmanaged.passUnretained(codec).toOpaque())
    lent.pointee.is_string = codec is StringCodec
    return lent
  }
}

extension UnsafeMutablePointer where Pointee == ActiveCall {
  fileprivate static var placeOffset: Int {
    // Never nil: it is a C structure.
    MemoryLayout<wax_lua_lent>.offset(of: \.place).unsafelyUnwrapped
  }
}

extension UnsafeMutablePointer where Pointee == wax_lua_lent_set {
  /// Destroys the copies in it, and gives it back.
  func end() {
    // Never nil: it is a C structure.
    let offset = MemoryLayout<wax_lua_lent_set>.offset(of: \.values).unsafelyUnwrapped
    let values = (UnsafeMutableRawPointer(self) + offset).assumingMemoryBound(to: wax_lua_lent.self)
    for index in 0..<Int(pointee.count) {
      let lent = values + index
      guard lent.pointee.argument < 0, let codec = lent.pointee.codec,
        let value = lent.pointee.value
      else { continue }
      Unmanaged<ValueCodec>.fromOpaque(codec).destroy(value)
      let place = UnsafeMutableRawPointer(lent) + UnsafeMutablePointer<ActiveCall>.placeOffset
      if value != place { value.deallocate() }
    }
    wax_lua_lent_give(self)
  }
}

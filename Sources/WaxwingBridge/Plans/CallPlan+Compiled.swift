// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Tells which of a plan's values C can move: see wax_call_override.h and wax_call_direct.h.
extension CallPlan {
  /// The compiled step for the result; nil if the result depends on more than the returned value.
  var compiledResult: wax_call_step? {
    switch resultStrategy {
    case .nothing: wax_call_step(WAX_LUA_MOVE_NOTHING, 0)
    case .plain(let kind, let offset): wax_call_step(kind.move, offset)
    case .codec(let codec, let offset):
      wax_call_step(codec.takeUnretainedValue().move ?? WAX_LUA_MOVE_OTHER, offset)
    case .general: wax_call_step(WAX_LUA_MOVE_OTHER, 0)
    case .instance: nil
    }
  }
}

extension CallStep {
  /// The compiled step for the argument; nil if it takes the codec.
  var compiled: wax_call_step? {
    guard let offset else { return nil }
    if let plain { return wax_call_step(plain.move, offset, isOwned: isOwned && !plain.isTrivial) }
    guard codec._withUnsafeGuaranteedRef({ $0 is StringCodec }) else { return nil }
    return wax_call_step(WAX_LUA_MOVE_STRING, offset, isOwned: isOwned)
  }
}

extension wax_call_step {
  init(_ move: wax_lua_move, _ offset: Int, isOwned: Bool = false) {
    self.init(move: UInt8(move.rawValue), is_owned: isOwned, offset: UInt16(offset))
  }
}

extension wax_call_result {
  init(_ step: wax_call_step, _ codec: ValueCodec?) {
    self.init(
      step: step, type: (codec as? ObjectCodec)?.metadata, make_string: CompiledStrings.make)
  }
}

extension wax_call_arguments {
  /// - Returns: False: there is one that C cannot push.
  mutating func add(_ steps: UnsafeBufferPointer<CallStep>) -> Bool {
    if steps.count > Int(WAX_CALL_MAX_STEPS) { return false }
    for step in steps {
      guard let compiled = step.compiled else { return false }
      CArray.write(compiled, to: &self.steps, at: Int(count))
      count += 1
      if UInt32(compiled.move) == WAX_LUA_MOVE_STRING.rawValue { has_strings = true }
      if compiled.is_owned { are_owned = true }
    }
    return true
  }
}

/// C's arrays, which are tuples to Swift.
enum CArray {
  static func write<Value, Array>(_ value: Value, to array: inout Array, at index: Int) {
    withUnsafeMutableBytes(of: &array) {
      $0.storeBytes(of: value, toByteOffset: index * MemoryLayout<Value>.stride, as: Value.self)
    }
  }
}

/// The strings that C leaves to Swift.
enum CompiledStrings {
  /// Initializes the memory with a string of the text, if that is UTF-8.
  static let make: @convention(c) (UnsafePointer<CChar>?, Int, UnsafeMutableRawPointer?) -> Bool = {
    bytes, count, target in
    guard let string = LuaReader.string(UnsafeRawBufferPointer(start: bytes, count: count))
    else { return false }
    target?.initializeMemory(as: String.self, to: string)
    return true
  }

  /// Gives a string the form that C reads.
  static let makeReadable: @convention(c) (UnsafeMutableRawPointer?) -> Void = { place in
    guard let string = place?.assumingMemoryBound(to: String.self) else { return }
    string.pointee = String(decoding: Array(string.pointee.utf8), as: UTF8.self)
  }
}

// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

extension ResultLowering {
  /// The compiled step for the result; nil if C cannot move it.
  var directResult: wax_call_step? {
    guard let codec = result else { return wax_call_step(WAX_LUA_MOVE_NOTHING, 0) }
    guard let offset = frameOffset, codec.resultCount == 1 else { return nil }
    if let plain = codec.plain { return wax_call_step(plain.move, offset) }
    return codec is StringCodec ? wax_call_step(WAX_LUA_MOVE_STRING, offset) : nil
  }
}

extension ResultLowering {
  /// How a direct result stands in registers, if it is a value that a proxy holds; nil: it is not.
  var resultLayout: wax_call_value_layout? {
    guard let type = result?.trivialBox else { return nil }
    return wax_call_value_layout(type, size: result?.size ?? 0, resultPieces)
  }
}

extension CallPlan.Argument {
  /// The layout of the argument in registers if it is a value that a proxy holds; nil if it is not.
  var layout: wax_call_value_layout? {
    guard !isInout, !isVariadic, let type = codec.trivialBox else { return nil }
    return wax_call_value_layout(
      type, size: codec.size, location.registerPieces(size: codec.size, isResult: false))
  }
}

extension wax_call_value_layout {
  /// - Parameter pieces: nil: some of it is not in registers.
  /// - Returns: nil: C cannot move it.
  init?(
    _ type: UnsafeRawPointer, size: Int, _ pieces: [ValueLocation.RegisterPiece]?
  ) {
    self.init()
    guard let pieces, pieces.count <= Int(WAX_CALL_MAX_PIECES), size <= Int(UInt16.max),
      pieces.allSatisfy({ $0.byteCount <= 8 })
    else { return nil }
    self.type = type
    self.size = UInt16(size)
    piece_count = UInt8(pieces.count)
    for (index, piece) in pieces.enumerated() {
      let compiled = wax_call_piece(
        frame_offset: UInt16(piece.frameOffset), value_offset: UInt16(piece.byteOffset),
        byte_count: UInt8(piece.byteCount))
      CArray.write(compiled, to: &self.pieces, at: index)
    }
  }
}

extension wax_call_direct {
  /// - Returns: The layouts of the arguments; nil: there is one that C cannot read.
  mutating func add(
    _ steps: UnsafeBufferPointer<CallStep>, _ arguments: [CallPlan.Argument]
  ) -> [wax_call_value_layout?]? {
    if steps.count > Int(WAX_CALL_MAX_STEPS) { return nil }
    var layouts: [wax_call_value_layout?] = []
    make_string = CompiledStrings.make
    make_readable = CompiledStrings.makeReadable
    make_function = LuaClosure.makeCompiled
    for (step, argument) in zip(steps, arguments) {
      let layout = argument.layout
      guard
        let compiled = step.compiled ?? step.compiledFunction
          ?? layout.map({ _ in wax_call_step(WAX_LUA_MOVE_VALUE, 0, isOwned: step.isOwned) }),
        UInt32(compiled.move) != WAX_LUA_MOVE_FLOAT.rawValue
      else { return nil }
      layouts.append(layout)
      let index = Int(count)
      CArray.write(compiled, to: &self.steps, at: index)
      CArray.write(step.compiledType, to: &types, at: index)
      if UInt32(compiled.move) >= WAX_LUA_MOVE_OBJECT.rawValue { makes_references = true }
      count += 1
    }
    return layouts
  }

  /// - Parameter layouts: Of the arguments and the result.
  static func allocate(
    _ direct: wax_call_direct, _ layouts: [wax_call_value_layout?]
  ) -> UnsafeMutablePointer<wax_call_direct> {
    let memory = UnsafeMutablePointer<wax_call_direct>.allocate(capacity: 1)
    memory.initialize(to: direct)
    if layouts.allSatisfy({ $0 == nil }) { return memory }
    let kept = UnsafeMutablePointer<wax_call_value_layout>.allocate(capacity: layouts.count)
    for (index, layout) in layouts.enumerated() {
      (kept + index).initialize(to: layout ?? wax_call_value_layout())
      if layout != nil, index < Int(direct.count) {
        CArray.write(UnsafeRawPointer(kept + index), to: &memory.pointee.types, at: index)
      }
    }
    memory.pointee.layouts = kept
    return memory
  }

  static func deallocate(_ direct: UnsafeMutablePointer<wax_call_direct>?) {
    direct?.pointee.layouts?.deallocate()
    direct?.deallocate()
  }
}

extension ClosurePlan {
  /// Compiles a call by Lua code of such a closure; nil if part of the call needs Swift. The caller
  /// deallocates it.
  func compile() -> UnsafeMutablePointer<wax_call_direct>? {
    if wax_call_takes_long_way() || isAsync || isThrowing || isCFunction { return nil }
    guard stackBytes == 0, inouts.isEmpty, resultAddress == nil,
      let result = outcome.directResult
    else { return nil }
    var direct = wax_call_direct()
    guard let layouts = direct.add(steps, arguments) else { return nil }
    direct.result = result
    return wax_call_direct.allocate(direct, layouts)
  }
}

// SPDX-License-Identifier: MIT

package import CWaxwingCalls
internal import CWaxwingLua
internal import WaxwingLua
package import WaxwingPlans
internal import WaxwingValues

extension CallOutcome {
  /// nil: C cannot move it.
  package var directResult: waxwing_step? {
    guard let codec = result else { return waxwing_step(WAXWING_MOVE_NOTHING, 0) }
    guard let offset = frameOffset, codec.resultCount == 1 else { return nil }
    if let plain = codec.plain { return waxwing_step(plain.move, offset) }
    return codec is StringCodec ? waxwing_step(WAXWING_MOVE_STRING, offset) : nil
  }
}

extension CallOutcome {
  /// How a direct result stands in registers, if it is a value that a proxy holds; nil: it is not.
  package var resultLayout: waxwing_value_layout? {
    guard let type = result?.trivialBox else { return nil }
    return waxwing_value_layout(type, size: result?.size ?? 0, resultPieces)
  }
}

extension CallPlan.Argument {
  /// How it stands in registers, if it is a value that a proxy holds; nil: it is not.
  var layout: waxwing_value_layout? {
    guard !isInout, !isVariadic, let type = codec.trivialBox else { return nil }
    return waxwing_value_layout(
      type, size: codec.size, location.registerPieces(size: codec.size, isResult: false))
  }
}

extension waxwing_value_layout {
  /// - Parameter pieces: nil: some of it is not in registers.
  /// - Returns: nil: C cannot move it.
  init?(
    _ type: UnsafeRawPointer, size: Int, _ pieces: [ValueLocation.RegisterPiece]?
  ) {
    self.init()
    guard let pieces, pieces.count <= Int(WAXWING_MOST_PIECES), size <= Int(UInt16.max),
      pieces.allSatisfy({ $0.byteCount <= 8 })
    else { return nil }
    self.type = type
    self.size = UInt16(size)
    piece_count = UInt8(pieces.count)
    for (index, piece) in pieces.enumerated() {
      let compiled = waxwing_piece(
        frame_offset: UInt16(piece.frameOffset), value_offset: UInt16(piece.byteOffset),
        byte_count: UInt8(piece.byteCount))
      CArray.write(compiled, to: &self.pieces, at: index)
    }
  }
}

extension waxwing_direct {
  /// - Returns: The layouts of the arguments; nil: there is one that C cannot read.
  package mutating func add(
    _ steps: UnsafeBufferPointer<CallStep>, _ arguments: [CallPlan.Argument]
  ) -> [waxwing_value_layout?]? {
    if steps.count > Int(WAXWING_MOST_STEPS) { return nil }
    var layouts: [waxwing_value_layout?] = []
    make_string = CompiledStrings.make
    make_readable = CompiledStrings.makeReadable
    make_function = LuaClosure.makeCompiled
    for (step, argument) in zip(steps, arguments) {
      let layout = argument.layout
      guard
        let compiled = step.compiled ?? step.compiledFunction
          ?? layout.map({ _ in waxwing_step(WAXWING_MOVE_VALUE, 0, isOwned: step.isOwned) }),
        UInt32(compiled.move) != WAXWING_MOVE_FLOAT.rawValue
      else { return nil }
      layouts.append(layout)
      let index = Int(count)
      CArray.write(compiled, to: &self.steps, at: index)
      CArray.write(step.compiledType, to: &types, at: index)
      if UInt32(compiled.move) >= WAXWING_MOVE_OBJECT.rawValue { makes_references = true }
      count += 1
    }
    return layouts
  }

  /// - Parameter layouts: Of the arguments and the result.
  package static func allocate(
    _ direct: waxwing_direct, _ layouts: [waxwing_value_layout?]
  ) -> UnsafeMutablePointer<waxwing_direct> {
    let memory = UnsafeMutablePointer<waxwing_direct>.allocate(capacity: 1)
    memory.initialize(to: direct)
    if layouts.allSatisfy({ $0 == nil }) { return memory }
    let kept = UnsafeMutablePointer<waxwing_value_layout>.allocate(capacity: layouts.count)
    for (index, layout) in layouts.enumerated() {
      (kept + index).initialize(to: layout ?? waxwing_value_layout())
      if layout != nil, index < Int(direct.count) {
        CArray.write(UnsafeRawPointer(kept + index), to: &memory.pointee.types, at: index)
      }
    }
    memory.pointee.layouts = kept
    return memory
  }

  package static func deallocate(_ direct: UnsafeMutablePointer<waxwing_direct>?) {
    direct?.pointee.layouts?.deallocate()
    direct?.deallocate()
  }
}

extension ClosurePlan {
  /// A call by Lua code of such a closure; nil: some of it takes Swift. Who asks deallocates it.
  func compile() -> UnsafeMutablePointer<waxwing_direct>? {
    if waxwing_takes_long_way() || isAsync || isThrowing || isCFunction { return nil }
    guard stackBytes == 0, inouts.isEmpty, resultAddress == nil,
      let result = outcome.directResult
    else { return nil }
    var direct = waxwing_direct()
    guard let layouts = direct.add(steps, arguments) else { return nil }
    direct.result = result
    return waxwing_direct.allocate(direct, layouts)
  }
}

// SPDX-License-Identifier: MIT

package import WaxwingInterception
import WaxwingValues

/// Where in a frame one value is, so that its codec can work on memory.
package enum ValueLocation {
  /// The value has no bytes.
  case none
  /// The value itself, at an offset in bytes into the frame.
  case frame(Int)
  /// The value itself, at an offset in bytes into the stack arguments.
  case stack(Int)
  /// The address of the value, at an offset in bytes into the frame.
  case addressInFrame(Int)
  /// The address of the value, at an offset in bytes into the stack arguments.
  case addressOnStack(Int)
  /// The value in pieces that are not next to each other.
  case scattered([LoweredPiece])
  /// A tuple with elements that go by address: each element's bytes and where they are.
  indirect case elements([Element])

  /// An element of a tuple.
  package struct Element: Sendable {
    /// Bytes from the start of the tuple.
    let offset: Int
    let size: Int
    let location: ValueLocation
    /// The type of the part; nil if its values are moved by their bytes.
    let type: (any Any.Type)?
  }

  /// - Parameter alignment: What the value needs in memory. The frame has words: what needs more is
  ///   put together elsewhere.
  init(_ placement: CallLayout.Placement, alignment: Int, isResult: Bool = false) {
    let pieces = placement.pieces
    guard let first = pieces.first else {
      self = .none
      return
    }
    let offset = Frame.offset(of: first, isResult: isResult)
    if placement.isIndirect {
      self = first.bank == .stack ? .addressOnStack(offset) : .addressInFrame(offset)
    } else if alignment <= 8, Self.areContiguous(pieces) {
      self = first.bank == .stack ? .stack(offset) : .frame(offset)
    } else {
      self = .scattered(pieces)
    }
  }

  /// The location of a value of which only the registers are known. Nothing beside these registers
  /// is read or written, though an opaque value in memory has room for the largest possible value.
  static func registers(_ placements: [CallLayout.Placement]) -> ValueLocation {
    let pieces = placements.flatMap(\.pieces)
    return pieces.isEmpty ? .none : .scattered(pieces)
  }

  /// - Parameter parts: One for each placement: of a tuple as many as it has elements.
  init(
    _ placements: [CallLayout.Placement], _ parts: [FunctionShape.Part], alignment: Int
  ) {
    if placements.contains(where: \.isIndirect), placements.count > 1 {
      self = .elements(
        zip(placements, parts).map {
          Element(
            offset: $1.offset, size: $1.size, location: ValueLocation($0, alignment: 8),
            type: $1.type)
        })
    } else if let first = placements.first {
      self = ValueLocation(Self.joined(placements, parts) ?? first, alignment: alignment)
    } else {
      self = .none
    }
  }

  /// The parts of a tuple as one value; nil if there is one that is all.
  private static func joined(
    _ placements: [CallLayout.Placement], _ parts: [FunctionShape.Part]
  ) -> CallLayout.Placement? {
    guard var joined = placements.first, placements.count > 1 || parts[0].offset != 0 else {
      return nil
    }
    joined.pieces = zip(placements, parts).flatMap { placement, part in
      placement.pieces.map { piece in
        LoweredPiece(
          bank: piece.bank, index: piece.index, byteOffset: piece.byteOffset + part.offset,
          byteCount: piece.byteCount)
      }
    }
    return joined
  }

  /// The offset of the value in the frame; nil if the frame does not have it as memory does.
  var frameOffset: Int? {
    if case .frame(let offset) = self { offset } else { nil }
  }

  /// Whether neighbouring words hold the value as memory does. Vector registers are 16 bytes apart.
  private static func areContiguous(_ pieces: [LoweredPiece]) -> Bool {
    if pieces.count == 1 { return pieces[0].byteOffset == 0 }
    return pieces.enumerated().allSatisfy { number, piece in
      piece.bank == pieces[0].bank && piece.bank != .vector && piece.byteOffset == 8 * number
        && piece.index == pieces[0].index + number
    }
  }
}

extension ValueLocation {
  /// A part of a value in one register.
  struct RegisterPiece {
    /// The offset in bytes from the start of the frame.
    let frameOffset: Int
    let byteOffset: Int
    let byteCount: Int
  }

  /// - Parameter size: The value's, in bytes.
  /// - Returns: nil: not all of it is in registers.
  func registerPieces(size: Int, isResult: Bool) -> [RegisterPiece]? {
    switch self {
    case .frame(let offset):
      return stride(from: 0, to: size, by: 8).map {
        RegisterPiece(frameOffset: offset + $0, byteOffset: $0, byteCount: min(8, size - $0))
      }
    case .scattered(let pieces) where pieces.allSatisfy({ $0.bank != .stack }):
      return pieces.map {
        RegisterPiece(
          frameOffset: Frame.offset(of: $0, isResult: isResult), byteOffset: $0.byteOffset,
          byteCount: $0.byteCount)
      }
    default: return nil
    }
  }

  /// The value's memory. Scattered values are put together in `scratch` first.
  /// - Parameter scratch: Room for the value, rounded up to words.
  func gather(
    _ frame: FramePointer, scratch: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let memory = memory(frame) { return memory }
    if case .elements(let elements) = self {
      for element in elements {
        Self.gather(element.location, frame, size: element.size, into: scratch + element.offset)
      }
    }
    guard case .scattered(let pieces) = self else { return scratch }
    for piece in pieces {
      let source =
        (piece.bank == .stack ? Self.stack(frame) : UnsafeMutableRawPointer(frame))
        + Frame.offset(of: piece, isResult: false)
      (scratch + piece.byteOffset).copyMemory(from: source, byteCount: piece.byteCount)
    }
    return scratch
  }

  private static func gather(
    _ location: ValueLocation, _ frame: FramePointer, size: Int,
    into target: UnsafeMutableRawPointer
  ) {
    let source = location.gather(frame, scratch: target)
    if source != target { target.copyMemory(from: source, byteCount: size) }
  }

  /// Copies the value to `scratch` as `gather` does, for a type whose values are more than their
  /// bytes. The caller owns the copy.
  func copy(_ frame: FramePointer, scratch: UnsafeMutableRawPointer) {
    eachElement(frame) { element, source in
      let target = scratch + element.offset
      if let type = element.type {
        ValueWitnesses(of: type).copy(source, to: target)
      } else {
        target.copyMemory(from: source, byteCount: element.size)
      }
    }
  }

  /// Destroys such a value.
  func destroy(_ frame: FramePointer) {
    eachElement(frame) { element, source in
      if let type = element.type { ValueWitnesses(of: type).destroy(source) }
    }
  }

  private func eachElement(
    _ frame: FramePointer, _ body: (Element, UnsafeMutableRawPointer) -> Void
  ) {
    guard case .elements(let elements) = self else { return }
    for element in elements {
      withUnsafeTemporaryAllocation(byteCount: element.size + 16, alignment: 16) { scratch in
        let scratch = scratch.baseAddress.unsafelyUnwrapped  // not empty
        body(element, element.location.gather(frame, scratch: scratch))
      }
    }
  }

  /// The value's memory; nil for values without bytes, and for those in parts.
  func memory(_ frame: FramePointer) -> UnsafeMutableRawPointer? {
    let base = UnsafeMutableRawPointer(frame)
    switch self {
    case .none, .scattered, .elements: return nil
    case .frame(let offset): return base + offset
    case .stack(let offset): return Self.stack(frame) + offset
    case .addressInFrame(let offset):
      return (base + offset).load(as: UnsafeMutableRawPointer.self)
    case .addressOnStack(let offset):
      return (Self.stack(frame) + offset).load(as: UnsafeMutableRawPointer.self)
    }
  }

  /// The inverse, for a call that is being made: the value at `source` is put where the function
  /// expects it. A value that goes by address stays at `source`.
  func scatter(
    _ source: UnsafeMutableRawPointer, size: Int, _ frame: FramePointer
  ) {
    let base = UnsafeMutableRawPointer(frame)
    switch self {
    case .none: break
    case .frame(let offset): (base + offset).copyMemory(from: source, byteCount: size)
    case .stack(let offset):
      (Self.stack(frame) + offset).copyMemory(from: source, byteCount: size)
    case .addressInFrame(let offset):
      (base + offset).storeBytes(of: source, as: UnsafeMutableRawPointer.self)
    case .addressOnStack(let offset):
      (Self.stack(frame) + offset).storeBytes(of: source, as: UnsafeMutableRawPointer.self)
    case .scattered(let pieces): Self.scatter(pieces, source, frame, isResult: false)
    case .elements(let elements):
      for element in elements {
        element.location.scatter(source + element.offset, size: element.size, frame)
      }
    }
  }

  /// Puts a direct result at `source` into the result registers.
  func scatterResult(
    _ source: UnsafeMutableRawPointer, size: Int, _ frame: FramePointer
  ) {
    switch self {
    case .frame(let offset):
      (UnsafeMutableRawPointer(frame) + offset).copyMemory(from: source, byteCount: size)
    case .scattered(let pieces): Self.scatter(pieces, source, frame, isResult: true)
    default: break
    }
  }

  /// Puts a direct result together from the result registers.
  func gatherResult(
    _ frame: FramePointer, into target: UnsafeMutableRawPointer,
    size: Int
  ) {
    let base = UnsafeMutableRawPointer(frame)
    switch self {
    case .frame(let offset): target.copyMemory(from: base + offset, byteCount: size)
    case .scattered(let pieces):
      for piece in pieces {
        (target + piece.byteOffset).copyMemory(
          from: base + Frame.offset(of: piece, isResult: true), byteCount: piece.byteCount)
      }
    default: break
    }
  }

  /// The address of a location on the stack. It is never nil, as the layout has counted the bytes
  /// of the stack arguments.
  private static func stack(_ frame: FramePointer)
    -> UnsafeMutableRawPointer
  {
    UnsafeMutableRawPointer(frame.pointee.stackArguments.unsafelyUnwrapped)
  }

  private static func scatter(
    _ pieces: [LoweredPiece], _ source: UnsafeMutableRawPointer,
    _ frame: FramePointer, isResult: Bool
  ) {
    for piece in pieces {
      let bank = piece.bank == .stack ? stack(frame) : UnsafeMutableRawPointer(frame)
      (bank + Frame.offset(of: piece, isResult: isResult)).copyMemory(
        from: source + piece.byteOffset, byteCount: piece.byteCount)
    }
  }
}

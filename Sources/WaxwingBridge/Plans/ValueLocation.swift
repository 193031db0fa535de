// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import WaxwingInterception

/// Where in a frame one value is, so that its codec can work on memory.
enum ValueLocation {
  /// The value has no bytes.
  case none
  /// As it is in memory, so many bytes into the frame.
  case frame(Int)
  /// As it is in memory, so many bytes into the stack arguments.
  case stack(Int)
  /// Its address is so many bytes into the frame.
  case addressInFrame(Int)
  /// Its address is so many bytes into the stack arguments.
  case addressOnStack(Int)
  /// In pieces that are not next to each other.
  case scattered([LoweredPiece])

  /// - Parameter alignment: What the value needs in memory. The frame has words: what needs more is
  ///   put together elsewhere.
  init(_ placement: CallLayout.Placement, alignment: Int, isResult: Bool = false) {
    let pieces = placement.pieces
    guard let first = pieces.first else {
      self = .none
      return
    }
    let offset = Self.offset(of: first, isResult: isResult)
    if placement.isIndirect {
      self = first.bank == .stack ? .addressOnStack(offset) : .addressInFrame(offset)
    } else if alignment <= 8, Self.areContiguous(pieces) {
      self = first.bank == .stack ? .stack(offset) : .frame(offset)
    } else {
      self = .scattered(pieces)
    }
  }

  /// nil: the value is not in the frame as it is in memory.
  var frameOffset: Int? {
    if case .frame(let offset) = self { offset } else { nil }
  }

  /// Bytes from the start of the frame, or of the stack arguments.
  static func offset(of piece: LoweredPiece, isResult: Bool) -> Int {
    switch piece.bank {
    case .integer:
      Int(isResult ? WAXWING_FRAME_INTEGER_RESULT : WAXWING_FRAME_INTEGER) + 8 * piece.index
    case .vector:
      Int(isResult ? WAXWING_FRAME_VECTOR_RESULT : WAXWING_FRAME_VECTOR) + 16 * piece.index
    case .stack: 8 * piece.index
    case .context: Int(WAXWING_FRAME_SELF)
    }
  }

  /// Neighbouring words hold the value as it is in memory. Vector registers are 16 bytes apart.
  private static func areContiguous(_ pieces: [LoweredPiece]) -> Bool {
    if pieces.count == 1 { return pieces[0].byteOffset == 0 }
    return pieces.enumerated().allSatisfy { number, piece in
      piece.bank == pieces[0].bank && piece.bank != .vector && piece.byteOffset == 8 * number
        && piece.index == pieces[0].index + number
    }
  }
}

extension ValueLocation {
  /// The value's memory. Scattered values are put together in `scratch` first.
  /// - Parameter scratch: Room for the value, rounded up to words.
  func gather(
    _ frame: UnsafeMutablePointer<waxwing_frame>, scratch: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let memory = memory(frame) { return memory }
    guard case .scattered(let pieces) = self else { return scratch }
    for piece in pieces {
      let source =
        (piece.bank == .stack ? Self.stack(frame) : UnsafeMutableRawPointer(frame))
        + Self.offset(of: piece, isResult: false)
      (scratch + piece.byteOffset).copyMemory(from: source, byteCount: piece.byteCount)
    }
    return scratch
  }

  /// The value's memory; nil for values without bytes, and for scattered ones.
  func memory(_ frame: UnsafeMutablePointer<waxwing_frame>) -> UnsafeMutableRawPointer? {
    let base = UnsafeMutableRawPointer(frame)
    switch self {
    case .none, .scattered: return nil
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
    _ source: UnsafeMutableRawPointer, size: Int, _ frame: UnsafeMutablePointer<waxwing_frame>
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
    }
  }

  /// Puts a direct result at `source` into the result registers.
  func scatterResult(
    _ source: UnsafeMutableRawPointer, size: Int, _ frame: UnsafeMutablePointer<waxwing_frame>
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
    _ frame: UnsafeMutablePointer<waxwing_frame>, into target: UnsafeMutableRawPointer, size: Int
  ) {
    let base = UnsafeMutableRawPointer(frame)
    switch self {
    case .frame(let offset): target.copyMemory(from: base + offset, byteCount: size)
    case .scattered(let pieces):
      for piece in pieces {
        (target + piece.byteOffset).copyMemory(
          from: base + Self.offset(of: piece, isResult: true), byteCount: piece.byteCount)
      }
    default: break
    }
  }

  /// Never nil where a location is on the stack: the layout counted its bytes.
  private static func stack(_ frame: UnsafeMutablePointer<waxwing_frame>) -> UnsafeMutableRawPointer
  {
    UnsafeMutableRawPointer(frame.pointee.stack.unsafelyUnwrapped)
  }

  private static func scatter(
    _ pieces: [LoweredPiece], _ source: UnsafeMutableRawPointer,
    _ frame: UnsafeMutablePointer<waxwing_frame>, isResult: Bool
  ) {
    for piece in pieces {
      let bank = piece.bank == .stack ? stack(frame) : UnsafeMutableRawPointer(frame)
      (bank + offset(of: piece, isResult: isResult)).copyMemory(
        from: source + piece.byteOffset, byteCount: piece.byteCount)
    }
  }
}

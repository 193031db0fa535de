// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection
internal import WaxwingValues

/// The result or the error that comes back from a call, and its place. Never changed after `init`:
/// each call uses it, so copies have to be cheap.
package final class ResultLowering {
  /// The value in the register of errors that says that a function with `throws(E)` has thrown, in
  /// place of a box. The compiler uses it in the same way (IRGen, `emitThrow` of a direct typed
  /// error).
  static let typedErrorMark: UInt64 = 1

  /// The codec of the result; nil if the function returns nothing.
  let result: ValueCodec?
  /// The error that is thrown, if the function is `throws(E)`.
  let thrown: ValueCodec?
  /// The offset of a direct result that the frame holds as memory does; nil if it is elsewhere.
  let frameOffset: Int?

  private let location: ValueLocation
  /// Whether the result is returned by address: all of it, or the part of a split result that is
  /// returned together.
  private let isIndirect: Bool
  /// The offset of the result in a call's memory, if the result is not in the frame.
  private let scratch: Int
  /// A result tuple that is not returned as a whole; its parts are put together in the call's room.
  private let split: SplitResult?
  private let compactScratch: Int
  /// The error is of a type that is not known.
  private let throwsUnknown: Bool
  private let thrownLocation: ValueLocation
  private let thrownIsIndirect: Bool
  private let thrownScratch: Int

  init(
    _ layout: CallLayout, _ shape: ResultShape, result: ValueCodec?, thrown: ValueCodec?,
    _ scratch: inout ScratchLayout, throwsUnknown: Bool = false
  ) {
    self.throwsUnknown = throwsUnknown
    self.result = result
    self.thrown = thrown
    location =
      result is OpaqueCodec
      ? .scattered(OpaqueValue.resultPieces)
      : ValueLocation(layout.result, alignment: result?.alignment ?? 1, isResult: true)
    isIndirect = layout.result.isIndirect && !(result is OpaqueCodec)
    split =
      result is OpaqueCodec
      ? nil : shape.split(layout.indirectResults.map { ValueLocation($0, alignment: 8) })
    frameOffset = isIndirect || split != nil ? nil : location.frameOffset
    self.scratch =
      if let result, frameOffset == nil { scratch.add(result) } else { 0 }
    compactScratch = split.map { scratch.add(size: $0.compactSize) } ?? 0
    thrownLocation =
      layout.thrown.map {
        ValueLocation($0, alignment: thrown?.alignment ?? 8, isResult: !$0.isIndirect)
      } ?? .none
    thrownIsIndirect = layout.thrown?.isIndirect ?? false
    thrownScratch = thrown.map { scratch.add($0) } ?? 0
  }

  /// The size of the memory that a result or an error needs on its way.
  private var scratchBytes: Int { max(32, result?.size ?? 0, thrown?.size ?? 0) + 16 }
}

extension ResultLowering {
  /// How a direct result stands in registers; nil: not all of it does.
  var resultPieces: [ValueLocation.RegisterPiece]? {
    guard let result, !isIndirect, split == nil else { return nil }
    return location.registerPieces(size: result.size, isResult: true)
  }
}

// MARK: - Calls that are made

extension ResultLowering {
  /// Prepares a call: passes the addresses of memory for the outcome.
  /// - Parameter scratch: All of the call's memory.
  func prepare(_ frame: FramePointer, scratch: UnsafeMutableRawPointer) {
    if isIndirect {
      let target = scratch + (split == nil ? self.scratch : compactScratch)
      frame.pointee.indirectResult = UInt64(UInt(bitPattern: target))
    }
    split?.passAddresses(scratch + self.scratch, frame)
    if thrownIsIndirect { thrownLocation.scatter(scratch + thrownScratch, size: 8, frame) }
  }

  /// The address of the result after a call that has returned.
  func collect(
    _ codec: ValueCodec, _ frame: FramePointer, scratch: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let frameOffset { return UnsafeMutableRawPointer(frame) + frameOffset }
    let result = scratch + self.scratch
    if let split {
      if !isIndirect {
        location.gatherResult(frame, into: scratch + compactScratch, size: split.compactSize)
      }
      split.spread(scratch + compactScratch, to: result)
    } else if !isIndirect {
      location.gatherResult(frame, into: result, size: codec.size)
    }
    return result
  }

  /// Takes the error after a call that has thrown. The caller owns the error.
  /// - Parameter plan: The plan of the function that was called. Not the function itself, because
  ///   copying that is expensive.
  func takeError(
    _ frame: FramePointer, scratch: UnsafeMutableRawPointer, _ plan: CallPlan? = nil
  ) -> any Error {
    guard let thrown else {
      // Of accessors nothing tells whether they are `throws(E)`.
      if let plan, throwsUnknown || plan.isAccessor,
        !SwiftErrorBox.isError(frame.pointee.thrownError)
      {
        return OpaqueError(frame, of: plan.function)
      }
      return SwiftErrorBox.take(frame.pointee.thrownError)
    }
    let place = scratch + thrownScratch
    if !thrownIsIndirect { thrownLocation.gatherResult(frame, into: place, size: thrown.size) }
    return TypedError.take(place, thrown.type)
  }
}

// MARK: - Calls that Lua answers

extension ResultLowering {
  /// Runs `body`, which initializes the result, and puts it where the caller expects it.
  func put<Failure: Error>(
    _ frame: FramePointer, _ body: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let result else { return }
    if isIndirect, split == nil {
      return try body(
        UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.indirectResult))
          ?? ValueBox.nowhere)
    }
    if let frameOffset { return try body(UnsafeMutableRawPointer(frame) + frameOffset) }
    var failure: Failure?
    withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { scratch in
      let scratch = scratch.baseAddress.unsafelyUnwrapped  // not empty
      do throws(Failure) {
        try body(scratch)
        move(scratch, result, frame)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Puts the result at `source` where the caller expects it.
  func move(_ source: UnsafeMutableRawPointer, _ codec: ValueCodec, _ frame: FramePointer) {
    let indirect = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.indirectResult))
    guard let split else {
      if isIndirect {
        indirect.map { codec.take(source, to: $0) }
      } else {
        location.scatterResult(source, size: codec.size, frame)
      }
      return
    }
    if isIndirect, let indirect { return split.move(source, to: indirect, frame) }
    withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { compact in
      let compact = compact.baseAddress.unsafelyUnwrapped  // not empty
      split.move(source, to: compact, frame)
      location.scatterResult(compact, size: split.compactSize, frame)
    }
  }

  /// Throws for Lua.
  /// - Returns: Whether the function can throw this error.
  func setError(_ error: any Error, _ frame: FramePointer) -> Bool {
    if let opaque = error as? OpaqueError { return opaque.putBack(frame) }
    guard let thrown else {
      if throwsUnknown { return false }
      frame.pointee.thrownError = SwiftErrorBox.make(error)
      return true
    }
    if thrownIsIndirect {
      guard let target = thrownLocation.memory(frame), TypedError.put(error, thrown.type, target)
      else { return false }
    } else {
      var isDone = false
      withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { scratch in
        let scratch = scratch.baseAddress.unsafelyUnwrapped  // not empty
        guard TypedError.put(error, thrown.type, scratch) else { return }
        thrownLocation.scatterResult(scratch, size: thrown.size, frame)
        isDone = true
      }
      if !isDone { return false }
    }
    frame.pointee.thrownError = Self.typedErrorMark
    return true
  }

  /// Whether a function that throws can throw any error.
  var canThrowAnything: Bool {
    thrown.map { $0.type == (any Error).self } ?? !throwsUnknown
  }

  /// Whether the function can throw this error.
  package func canThrow(_ error: any Error) -> Bool {
    if error is OpaqueError { return true }
    return thrown.map { TypedError.fits(error, $0.type) } ?? !throwsUnknown
  }
}

/// Values of a type that a function is declared to throw.
enum TypedError {
  /// Moves the value out of its memory.
  static func take(_ place: UnsafeMutableRawPointer, _ type: any Any.Type) -> any Error {
    func take<Value>(_: Value.Type) -> any Error {
      // A type in `throws(E)` conforms.
      place.assumingMemoryBound(to: Value.self).move() as! any Error
    }
    return _openExistential(type, do: take)
  }

  static func fits(_ error: any Error, _ type: any Any.Type) -> Bool {
    func fits<Value>(_: Value.Type) -> Bool { error is Value }
    return _openExistential(type, do: fits)
  }

  /// Initializes the memory with the error.
  /// - Returns: false if it is of another type.
  static func put(
    _ error: any Error, _ type: any Any.Type, _ place: UnsafeMutableRawPointer
  ) -> Bool {
    func put<Value>(_: Value.Type) -> Bool {
      guard let value = error as? Value else { return false }
      place.initializeMemory(as: Value.self, to: value)
      return true
    }
    return _openExistential(type, do: put)
  }
}

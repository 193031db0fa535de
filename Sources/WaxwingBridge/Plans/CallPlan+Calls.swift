// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime

/// What a call of the function needs in its frame besides arguments and receiver.
extension CallPlan {
  typealias Frame = UnsafeMutablePointer<waxwing_frame>

  /// Before a call: addresses for what comes back, and what tells a generic function its types.
  /// - Parameter room: As many bytes as `callBytes`.
  func prepare(_ frame: Frame, room: UnsafeMutableRawPointer) {
    if resultIsIndirect {
      let target = room + (splitResult == nil ? resultRoom : compactRoom)
      frame.pointee.indirect_result = UInt64(UInt(bitPattern: target))
    }
    splitResult?.passAddresses(room + resultRoom, frame)
    if thrownIsIndirect { thrownLocation.scatter(room + thrownRoom, size: 8, frame) }
    for (word, location) in trailing {
      withUnsafePointer(to: word) {
        location.scatter(
          UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)), size: 8, frame)
      }
    }
  }

  /// After a call that returned: where the result is.
  func collectResult(
    _ codec: ValueCodec, _ frame: Frame, room: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let offset = resultFrameOffset { return UnsafeMutableRawPointer(frame) + offset }
    let result = room + resultRoom
    if let splitResult {
      if !resultIsIndirect {
        resultLocation.gatherResult(
          frame, into: room + compactRoom, size: splitResult.compactSize)
      }
      splitResult.spread(room + compactRoom, to: result)
    } else if !resultIsIndirect {
      resultLocation.gatherResult(frame, into: result, size: codec.size)
    }
    return result
  }

  /// After a call that threw: the error, which is the caller's now.
  func takeError(_ frame: Frame, room: UnsafeMutableRawPointer) -> any Error {
    guard let thrown else { return SwiftErrorBox.take(frame.pointee.error) }
    let place = room + thrownRoom
    if !thrownIsIndirect { thrownLocation.gatherResult(frame, into: place, size: thrown.size) }
    return TypedError.take(place, thrown.type)
  }

  /// Lets an override throw.
  /// - Returns: Whether the function can throw this error.
  func setError(_ error: any Error, _ frame: Frame) -> Bool {
    guard let thrown else {
      frame.pointee.error = SwiftErrorBox.make(error)
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
    frame.pointee.error = 1  // where there is no box: that there is an error
    return true
  }

  /// Whether an override can throw this error.
  func canThrow(_ error: any Error) -> Bool {
    thrown.map { TypedError.fits(error, $0.type) } ?? true
  }

  /// Puts an override's result where the caller expects it.
  func returnResult(_ result: UnsafeMutableRawPointer, _ codec: ValueCodec, _ frame: Frame) {
    let indirect = UnsafeMutableRawPointer(bitPattern: UInt(frame.pointee.indirect_result))
    guard let splitResult else {
      if resultIsIndirect {
        indirect?.copyMemory(from: result, byteCount: codec.size)
      } else {
        resultLocation.scatterResult(result, size: codec.size, frame)
      }
      return
    }
    if resultIsIndirect, let indirect { return splitResult.move(result, to: indirect, frame) }
    withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { compact in
      let compact = compact.baseAddress.unsafelyUnwrapped  // not empty
      splitResult.move(result, to: compact, frame)
      resultLocation.scatterResult(compact, size: splitResult.compactSize, frame)
    }
  }
}

extension CallPlan {
  /// The object that a method of a protocol's extension is called on: such a method takes the address
  /// of a reference, as it takes that of any value.
  func object(_ value: waxwing_value, _ codec: ValueCodec) -> UnsafeMutableRawPointer? {
    guard let object = codec as? ObjectCodec, value.tag == WAXWING_OBJECT.rawValue,
      let pointer = value.pointer, object.accepts(pointer)
    else { return nil }
    return pointer
  }
}

extension CallPlan {
  /// Whether the function can be called on the value.
  func accepts(receiver value: waxwing_value) -> Bool {
    switch receiver {
    case .none, .metatype, .uninitialized: return true
    case .object(let argument): return object(value, argument.codec) != nil
    case .value(let argument): return holds(value, argument.codec)
    case .mutableValue(let codec): return holds(value, codec)
    }
  }

  private func holds(_ value: waxwing_value, _ codec: ValueCodec) -> Bool {
    if object(value, codec) != nil { return true }
    return ValueBox.contents(of: value, type: TypeMetadata.pointer(to: codec.type)) != nil
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

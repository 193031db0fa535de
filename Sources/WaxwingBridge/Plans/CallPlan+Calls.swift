// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import CWaxwingRuntime

/// What a call of the function needs in its frame besides arguments and receiver.
extension CallPlan {
  typealias Frame = UnsafeMutablePointer<waxwing_frame>

  /// Before a call: addresses for what comes back, and what tells a generic function its types.
  /// - Parameter room: As many bytes as `callBytes`.
  func prepare(_ frame: Frame, room: UnsafeMutableRawPointer) {
    outcome.prepare(frame, room: room)
    for (word, location) in trailing {
      withUnsafePointer(to: word) {
        location.scatter(
          UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)), size: 8, frame)
      }
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

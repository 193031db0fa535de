// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingLua
internal import WaxwingValues

/// The receiver of a method of a struct or enum, if that is not a proxy's own value: a Lua value
/// that was converted for the call, as in `String.uppercased("text")`, or a copy for a method that
/// takes it over.
///
/// A Lua value is no variable of Swift's, so what a `mutating` method makes of it is a further result.
/// That it was mutating is seen by the bytes being others afterwards. What the value refers to is held
/// meanwhile, so that it is copied rather than changed in place.
///
/// It may also be no copy but the variable of the override's caller, which its original changes in place
/// as it would without the override.
struct ReceiverCopy {
  let memory: UnsafeMutableRawPointer
  private let codec: ValueCodec
  /// Where the value is that this is a copy of while a call lasts, if that may be gone before its end.
  private var origin: UnsafeMutableRawPointer?
  /// Whether `memory` is the variable of an override's caller.
  private(set) var isVariable = false
  /// The value before the call; nil if the method takes the value over, or has it in its place.
  private let before: (bytes: UnsafeMutableRawPointer, held: UnsafeMutableRawPointer)?

  /// - Parameters:
  ///   - reader: Stands at the value.
  ///   - memory: Uninitialized, as it is after a failure.
  ///   - keepsUnchanged: A value that Lua has not changed is the one that the override was called on, and
  ///     not another that is equal.
  init(
    converting reader: LuaReader, _ codec: ValueCodec, in memory: UnsafeMutableRawPointer,
    isConsumed: Bool, keepsUnchanged: Bool
  ) throws(ConversionError) {
    var reader = reader
    let isUnchanged =
      (codec.isRebuilt || keepsUnchanged)
      && ActiveCall.innermost?.copyUnchanged(codec, &reader, .receiver, to: memory) == true
    if !isUnchanged { try codec.read(&reader, into: memory) }
    self.memory = memory
    self.codec = codec
    before = isConsumed ? nil : Self.saved(memory, codec)
  }

  /// - Parameter source: A value that stays unchanged while a copy of it is taken over.
  init(
    of source: UnsafeRawPointer, _ codec: ValueCodec, in memory: UnsafeMutableRawPointer
  ) {
    codec.copy(source, to: memory)
    self.memory = memory
    self.codec = codec
    before = nil
  }

  /// - Parameter source: A value that the method may change, and whose new value Lua gets.
  init(
    changing source: UnsafeRawPointer, _ codec: ValueCodec, in memory: UnsafeMutableRawPointer
  ) {
    codec.copy(source, to: memory)
    self.memory = memory
    self.codec = codec
    before = Self.saved(memory, codec)
  }

  /// - Parameter origin: The place of the value, which gets its new value unless the script ends.
  init(
    waiting origin: UnsafeMutableRawPointer, _ codec: ValueCodec, in memory: UnsafeMutableRawPointer
  ) {
    codec.copy(origin, to: memory)
    self.memory = memory
    self.codec = codec
    self.origin = origin
    before = Self.saved(memory, codec)
  }

  /// - Parameters:
  ///   - variable: What an override was called on, with the value that Lua passes.
  ///   - box: Where Lua's proxy has its copy, which is gone until the call ends, so that the storage is
  ///     the variable's alone; nil: Lua has no proxy of it.
  init(
    passing variable: UnsafeMutableRawPointer, _ codec: ValueCodec,
    for box: UnsafeMutableRawPointer?
  ) {
    if let box { codec.destroy(box) }
    memory = variable
    self.codec = codec
    origin = box
    isVariable = true
    before = nil
  }

  private static func saved(
    _ memory: UnsafeMutableRawPointer, _ codec: ValueCodec
  ) -> (bytes: UnsafeMutableRawPointer, held: UnsafeMutableRawPointer) {
    let bytes = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    bytes.copyMemory(from: memory, byteCount: codec.size)
    let held = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    codec.copy(memory, to: held)
    return (bytes, held)
  }

  /// Writes what the value is after the call, if that is another one.
  /// - Parameter always: Also if it is the same.
  /// - Returns: Whether it was written.
  func pushChange(_ writer: LuaWriter, always: Bool) -> Bool {
    if origin != nil {
      if !isVariable { updateOrigin() }
      return false
    }
    guard isChanged || always else { return false }
    codec.push(memory, writer)
    return true
  }

  /// Lets what this was copied from be what the value is after the call, also one that threw.
  func updateOrigin() {
    // What a C++ object has in memory of its own changes without its bytes.
    guard let origin, !isVariable, isChanged || !codec.isBitwiseTakable else { return }
    codec.destroy(origin)
    codec.copy(memory, to: origin)
  }

  private var isChanged: Bool {
    before.map { memcmp($0.bytes, memory, codec.size) != 0 } ?? false
  }

  /// - Parameter wasPassed: The method has been called.
  func end(wasPassed: Bool) {
    if isVariable {
      if let origin { codec.copy(memory, to: origin) }
      return
    }
    guard let before else {
      if !wasPassed { codec.destroy(memory) }
      return
    }
    codec.destroy(memory)
    codec.destroy(before.held)
    before.held.deallocate()
    before.bytes.deallocate()
  }
}

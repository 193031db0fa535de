// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingValues

/// Values that cross as `OpaqueValue`.
///
/// In memory they are the registers, `OpaqueValue.Words`, if it is known which registers they come in.
/// If not, nothing is read from or written to memory: they stay in the registers of their call,
/// and can go only where they came from.
/// Unchecked: immutable, like every codec.
package final class OpaqueCodec: ValueCodec, @unchecked Sendable {
  let part: OpaqueValue.Part
  /// Whether the registers of the value are known.
  let isPlaced: Bool
  /// The reason why the value is opaque.
  private let reason: String
  private let number: Int
  private let metadata = TypeMetadata.pointer(to: OpaqueValue.self)

  /// - Parameter reason: Why the value is opaque.
  init(_ part: OpaqueValue.Part, isPlaced: Bool, typeName: String, _ reason: PlanError?) {
    self.part = part
    self.reason = reason.map { ": \($0.reason)" } ?? ""
    self.isPlaced = isPlaced
    number = OpaqueTypeNames.number(of: typeName)
    super.init(of: OpaqueValue.Words.self, typeName: typeName)
  }

  package override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    let box = ValueBox.allocate(
      size: MemoryLayout<OpaqueValue>.size, alignment: MemoryLayout<OpaqueValue>.alignment)
    var value = OpaqueValue(
      call: InstalledLayers.current.innermostCall, part: part, typeName: number)
    if isPlaced { value.words = source.loadUnaligned(as: OpaqueValue.Words.self) }
    box.initializeMemory(as: OpaqueValue.self, to: value)
    writer.proxy(WAX_PROXY_KIND_VALUE, box, type: metadata)
  }

  package override func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    let found = reader.read()
    guard let box = ValueBox.contents(of: found, type: metadata) else {
      throw wrong(found, reader)
    }
    let value = box.assumingMemoryBound(to: OpaqueValue.self).pointee
    guard value.typeName == number else { throw wrong(found, reader) }
    guard InstalledLayers.current.isRunning(value.call) else {
      throw ConversionError(
        expected: typeName,
        found: "an opaque value of a call that has ended; it lives as long as the call")
    }
    try check(value)
    target.initializeMemory(as: OpaqueValue.Words.self, to: value.words)
  }

  private func wrong(_ found: wax_lua_value, _ reader: LuaReader) -> ConversionError {
    let origin = part == .result ? "the original has returned" : "the call came with"
    return ConversionError(
      expected: "the \(typeName) that \(origin) (it is opaque here\(reason))",
      found: ValueDescription.of(found, reader))
  }

  /// Whether the value may go where this codec is for.
  private func check(_ value: OpaqueValue) throws(ConversionError) {
    let isOwn = value.part == part && value.call == InstalledLayers.current.innermostCall
    if isOwn { return }
    switch (part, value.part) {
    case (.result, _):
      throw ConversionError(
        expected: "\(typeName) as the original has returned it",
        found: "another opaque value, which cannot be copied")
    case (_, .result):
      throw ConversionError(
        expected: typeName, found: "an opaque result, which can only be returned")
    default: break
    }
    guard isPlaced else {
      throw ConversionError(
        expected: "\(typeName) as the call has it here",
        found: "another opaque value: the program does not tell which registers this one takes")
    }
  }

  package override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    false
  }

  package override func destroy(_ target: UnsafeMutableRawPointer) {}

  package override func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.copyMemory(from: source, byteCount: size)
  }
}

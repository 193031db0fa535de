// SPDX-License-Identifier: MIT

internal import WaxwingLua

/// The parts of a tuple or struct that have been made so far.
struct PartiallyInitializedTuple {
  private let base: UnsafeMutableRawPointer
  private var made: [(codec: ValueCodec, offset: Int)] = []

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  mutating func read(
    _ codec: ValueCodec, at offset: Int, _ reader: inout LuaReader
  ) throws(ConversionError) {
    try codec.read(&reader, into: base + offset)
    made.append((codec, offset))
  }

  func destroy() {
    for element in made { element.codec.destroy(base + element.offset) }
  }
}

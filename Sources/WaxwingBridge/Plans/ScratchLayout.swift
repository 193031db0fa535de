// SPDX-License-Identifier: MIT

internal import WaxwingValues

/// Places for values that do not stand in the frame, one after the other, each at a multiple of 16
/// and of whole words.
struct ScratchLayout {
  private(set) var size = 0

  init() {}

  mutating func add(_ codec: ValueCodec) -> Int {
    add(size: codec.size, alignment: codec.alignment)
  }

  mutating func add(size bytes: Int, alignment: Int = 16) -> Int {
    let alignment = max(alignment, 16)
    size = (size + alignment - 1) / alignment * alignment
    defer { size += (bytes + 15) / 16 * 16 }
    return size
  }
}

// SPDX-License-Identifier: MIT

/// Places for values that do not stand in the frame, one after the other, each at a multiple of 16
/// and of whole words.
struct Room {
  private(set) var size = 0

  mutating func add(_ codec: ValueCodec) -> Int {
    let alignment = max(codec.alignment, 16)
    size = (size + alignment - 1) / alignment * alignment
    defer { size += (codec.size + 15) / 16 * 16 }
    return size
  }
}

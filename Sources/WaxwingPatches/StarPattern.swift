// SPDX-License-Identifier: MIT

/// Bytes in which a star stands for any bytes, also for none.
struct StarPattern {
  let bytes: [UInt8]
  /// Whether `?` stands for any one byte.
  var hasWildcard = false

  /// Goes back only to the last star, so the work is at most the product of both lengths.
  func matches(_ name: [UInt8]) -> Bool {
    var (place, part) = (0, 0)
    var star: (place: Int, part: Int)?
    while place < name.count {
      if part < bytes.count, bytes[part] == UInt8(ascii: "*") {
        star = (place, part)
        part += 1
      } else if part < bytes.count, isMet(bytes[part], by: name[place]) {
        (place, part) = (place + 1, part + 1)
      } else if let last = star {
        star = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part + 1)
      } else {
        return false
      }
    }
    return bytes[part...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private func isMet(_ wanted: UInt8, by byte: UInt8) -> Bool {
    wanted == byte || (hasWildcard && wanted == UInt8(ascii: "?"))
  }
}

// SPDX-License-Identifier: MIT

/// A mangled name under construction, with references to type descriptors where names do not do.
package struct MangledText {
  /// Tells the runtime's demangler that four bytes follow: the distance to a pointer to a
  /// descriptor.
  private static let indirectReference: UInt8 = 2

  package private(set) var bytes: [UInt8] = []
  private var references: [(position: Int, address: UInt)] = []

  static func += (text: inout MangledText, suffix: String) {
    text.bytes += suffix.utf8
  }

  mutating func removeLast() {
    bytes.removeLast()
  }

  mutating func appendReference(to address: UInt) {
    bytes.append(Self.indirectReference)
    references.append((bytes.count, address))
    bytes += [0, 0, 0, 0]
  }

  /// The name, followed by a zero and the pointers that it refers to:
  ///
  ///     name … 02 [distance] … | 0 | padding | pointer | pointer …
  func encoded() -> EncodedTypeName {
    var words = bytes + [0]
    while words.count % MemoryLayout<UInt>.size != 0 { words.append(0) }
    for reference in references {
      let distance = Int32(truncatingIfNeeded: words.count - reference.position)
      unsafe withUnsafeBytes(of: distance) {
        unsafe words.replaceSubrange(reference.position..<(reference.position + 4), with: $0)
      }
      unsafe withUnsafeBytes(of: reference.address) { unsafe words += $0 }
    }
    return EncodedTypeName(bytes: words, nameLength: bytes.count)
  }
}

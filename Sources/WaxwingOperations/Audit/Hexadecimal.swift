// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// SHA-256 in hexadecimal, as `sha256sum` prints it.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The hash of bytes.
  package static func sha256(of bytes: [UInt8]) -> String { text(Sodium.sha256(bytes)) }

  static func text(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  static func isHash(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count == 64 && bytes.allSatisfy(digits.contains)
  }
}

extension PatchBundle {
  /// What the audit log calls the patch by: of a single file what `sha256sum FILE` prints, of a folder
  /// the hash of what `sha256sum` prints for its files, sorted by name.
  package var sha256: String {
    guard files.count != 1 else { return Hexadecimal.sha256(of: files[0].bytes) }
    let lines = files.map { file in
      (
        name: String(file.name.drop { $0 != "/" }.dropFirst()),
        hash: Hexadecimal.sha256(of: file.bytes)
      )
    }
    let sorted = lines.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return Hexadecimal.sha256(
      of: Array(sorted.map { "\($0.hash)  \($0.name)\n" }.joined().utf8))
  }
}

extension PatchSource {
  /// ``PatchBundle/sha256``
  package var sha256: String { PatchBundle(files: files).sha256 }
}

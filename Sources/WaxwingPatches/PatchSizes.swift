// SPDX-License-Identifier: MIT

/// The sizes above which a patch is refused.
package enum PatchSizes {
  /// Bytes in one Lua file.
  package static let file = 256 * 1024

  /// Bytes in one line: above this a text is generated or packed, not written.
  static let line = 64 * 1024

  /// Bytes in all files of a patch; with Base64 this still fits one control frame.
  static let patch = 1024 * 1024

  /// Bytes of a patch as one file: its files, its signature, and their names.
  package static let bundle = patch + (64 << 10)

  /// Files in a patch.
  static let files = 64

  /// Folders inside one another.
  static let depth = 8

  /// A byte count as people write it: `262144` is `256 KiB`, `104857600` is `100 MiB`.
  package static func text(_ bytes: Int) -> String {
    if bytes >= 1 << 20 { return "\(bytes >> 20) MiB" }
    if bytes >= 1 << 10 { return "\(bytes >> 10) KiB" }
    return bytes == 1 ? "1 byte" : "\(bytes) bytes"
  }
}

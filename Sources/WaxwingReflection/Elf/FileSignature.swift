// SPDX-License-Identifier: MIT

/// Tells what a file that is not an ELF image is, by its first bytes.
enum FileSignature {
  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x23, 0x21], "a script"),
    ([0xcf, 0xfa, 0xed, 0xfe], "a Mach-O image (macOS)"),
    ([0xca, 0xfe, 0xba, 0xbe], "a universal Mach-O image (macOS)"),
    ([0x4d, 0x5a], "a Windows program"),
    (Array("!<arch>".utf8), "a static library"),
    ([0x00, 0x61, 0x73, 0x6d], "a WebAssembly module"),
    ([0x1b, 0x4c, 0x75, 0x61], "Lua bytecode"),
    ([0x1f, 0x8b], "a gzip archive"),
    ([0x50, 0x4b, 0x03, 0x04], "a zip archive"),
  ]

  static func name(of bytes: [UInt8]) -> String {
    for signature in signatures where bytes.starts(with: signature.bytes) {
      return signature.name
    }
    let isText = bytes.prefix(512).allSatisfy { $0 >= 0x20 || (0x09...0x0d).contains($0) }
    return isText ? "text" : "data of an unknown kind"
  }
}

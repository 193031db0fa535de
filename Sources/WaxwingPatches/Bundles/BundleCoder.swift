// SPDX-License-Identifier: MIT

/// Reads and writes a patch as one file: a header that describes the contents, an empty line, and
/// the bytes of the files one after the other. There is one way to write a patch, and nothing else
/// is read:
///
///     waxwing-patch 1
///     file 1834 overdraft.lua
///     signature 299 overdraft.lua.sig
///
///     -- the 1834 bytes, then the 299
package enum BundleCoder {
  private static let head = "waxwing-patch 1"

  /// The bytes of a patch's file.
  package static func encode(_ bundle: PatchBundle) -> [UInt8] {
    var lines = [head]
    lines += bundle.files.map { "file \($0.bytes.count) \(StoreText.escaped($0.name))" }
    if let signature = bundle.signature {
      lines.append("signature \(signature.bytes.count) \(StoreText.escaped(signature.name))")
    }
    var bytes = Array((lines.joined(separator: "\n") + "\n\n").utf8)
    for file in bundle.files { bytes += file.bytes }
    if let signature = bundle.signature { bytes += signature.bytes }
    return bytes
  }

  /// - Throws: ``StoreTextError`` if the bytes are not what ``encode(_:)`` writes.
  package static func decode(_ bytes: [UInt8]) throws(StoreTextError) -> PatchBundle {
    guard bytes.count <= PatchSizes.bundle else { throw StoreTextError(1, "the file is too long") }
    var body = bytes[...]
    var lines: [String] = []
    while let end = body.firstIndex(of: 10) {
      let line = body[..<end]
      body = body[(end + 1)...]
      if line.isEmpty { return try bundle(lines, body, whole: bytes) }
      guard lines.count <= PatchSizes.files + 1, line.count <= 2048 else { break }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    throw StoreTextError(lines.count + 1, "the header has no end")
  }

  private static func bundle(
    _ lines: [String], _ body: ArraySlice<UInt8>, whole: [UInt8]
  ) throws(StoreTextError) -> PatchBundle {
    guard lines.first == head else { throw StoreTextError(1, "it does not begin with '\(head)'") }
    var files: [PatchFile] = []
    var signature: PatchFile?
    var rest = body
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, let count = StoreText.count(words[1]), count <= rest.count,
        let name = StoreText.unescaped(words[2])
      else { throw StoreTextError(index + 1, "it is not 'file COUNT NAME' of what follows") }
      let file = PatchFile(name: name, bytes: Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
      switch (words[0], signature) {
      case ("file", nil): files.append(file)
      case ("signature", nil): signature = file
      default: throw StoreTextError(index + 1, "'\(words[0])' is unexpected here")
      }
    }
    let bundle = PatchBundle(files: files, signature: signature)
    guard rest.isEmpty, encode(bundle) == whole else {
      throw StoreTextError(lines.count + 1, "more bytes follow, or the format differs")
    }
    return bundle
  }
}

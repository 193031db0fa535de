// SPDX-License-Identifier: MIT

/// A signature of `minisign -S`: four lines of text.
struct MinisignSignature: Hashable, Sendable {
  /// The word with which the trusted comment has to begin. minisign has no namespaces: without this
  /// word a file that a key has signed for anything else could be applied as a patch.
  static let purpose = "waxwing-patch"

  // minisign's own limits of a line, with the line break (minisign.h).
  private static let commentLimit = 1023
  private static let trustedLimit = 8191

  /// The identifier of the key that the signature claims to be made with.
  let keyID: [UInt8]
  let signature: [UInt8]
  /// The line that is signed together with the signature.
  let trustedComment: [UInt8]
  let globalSignature: [UInt8]

  /// - Throws: `SignatureFault`, also for the old form that does not hash the file first.
  init(text: [UInt8]) throws(SignatureFault) {
    var lines = Self.Lines(rest: text[...])
    _ = try lines.next("untrusted comment: ", Self.commentLimit)
    let first = try lines.next("", 102)
    trustedComment = try lines.next("trusted comment: ", Self.trustedLimit)
    let last = lines.last(90)
    guard let bytes = Base64.decoded(first, .minisign), bytes.count == 74 else {
      throw SignatureFault("its second line is not a signature in Base64")
    }
    guard let global = Base64.decoded(last, .minisign), global.count == Sodium.signatureSize else {
      throw SignatureFault("its fourth line is not a signature in Base64")
    }
    switch bytes.prefix(2) {
    case [0x45, 0x44]: break
    case [0x45, 0x64]:
      throw SignatureFault(
        "it has minisign's old format, which signs the file itself and not its hash",
        remedy: "sign with minisign 0.10 or newer, or with `minisign -S -H`")
    default: throw SignatureFault("its algorithm is not minisign's Ed25519 with BLAKE2b")
    }
    keyID = Array(bytes[2..<10])
    signature = Array(bytes[10...])
    globalSignature = global
  }

  /// Whether the key has signed this message and the trusted comment.
  func isRight(for message: [UInt8], by key: MinisignKey) -> Bool {
    key.id == keyID
      && Sodium.verify(signature: signature, of: Sodium.blake2b(message), by: key.key)
      && Sodium.verify(signature: globalSignature, of: signature + trustedComment, by: key.key)
  }

  /// Whether the trusted comment says that a patch is what was signed.
  var isForPatches: Bool {
    let word = Array(Self.purpose.utf8)
    guard trustedComment.starts(with: word) else { return false }
    return trustedComment.dropFirst(word.count).first.map { $0 == 0x20 || $0 == 0x09 } ?? true
  }
}

extension MinisignSignature {
  /// Lines as minisign takes them.
  private struct Lines {
    var rest: ArraySlice<UInt8>

    /// The next line after its prefix, up to a carriage return.
    mutating func next(_ prefix: String, _ limit: Int) throws(SignatureFault) -> [UInt8] {
      guard let end = rest.prefix(limit).firstIndex(of: 0x0a) else {
        throw SignatureFault("it does not have the four lines of a minisign signature")
      }
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      guard line.starts(with: prefix.utf8), !line.contains(0) else {
        throw SignatureFault(
          prefix.isEmpty
            ? "its second line is not a signature in Base64"
            : "it has no line that begins with '\(prefix.dropLast())'")
      }
      return Array(line.dropFirst(prefix.utf8.count).prefix { $0 != 0x0d })
    }

    /// The last line, which may lack its end.
    func last(_ limit: Int) -> ArraySlice<UInt8> {
      rest.prefix(limit).prefix { $0 != 0x0a && $0 != 0x0d }
    }
  }
}

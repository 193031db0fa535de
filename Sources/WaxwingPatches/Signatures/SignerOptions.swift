// SPDX-License-Identifier: MIT

/// The options of a line of a key list between names and key: `namespaces="…",valid-before="…"`.
struct SignerOptions: Hashable, Sendable {
  /// Patterns; nil for any namespace.
  private(set) var namespaces: [UInt8]?
  /// The time from which the key is valid, in seconds since 1970.
  private(set) var validAfter: Int?
  private(set) var validBefore: Int?

  init() {}

  /// Reads a word of options as sshsigopt_parse in OpenSSH's sshsig.c does.
  init(_ word: [UInt8]) throws(SignatureFault) {
    var rest = word[...]
    while !rest.isEmpty {
      if Self.take("cert-authority", from: &rest) {
        throw SignatureFault(
          "it has the option cert-authority, but certificates are not accepted",
          remedy: "list the keys that sign, one on each line")
      } else if Self.take("namespaces=", from: &rest) {
        try Self.checkFirst("namespaces", namespaces)
        namespaces = try Self.quoted(&rest)
      } else if Self.take("valid-after=", from: &rest) {
        try Self.checkFirst("valid-after", validAfter)
        validAfter = try Self.time("valid-after", &rest)
      } else if Self.take("valid-before=", from: &rest) {
        try Self.checkFirst("valid-before", validBefore)
        validBefore = try Self.time("valid-before", &rest)
      }
      if rest.isEmpty { break }
      guard rest.first == UInt8(ascii: ","), rest.count > 1 else {
        throw Self.malformed("its options are not namespaces, valid-after and valid-before")
      }
      rest = rest.dropFirst()
    }
    if let validAfter, let validBefore, validBefore <= validAfter {
      throw Self.malformed("its valid-before is not later than its valid-after")
    }
  }

  /// Why the key may not be used; nil if it may.
  func reasonAgainst(namespace: String, at time: Int) -> String? {
    if let namespaces, !NameList.matches(namespace.utf8, list: namespaces) {
      return "the key may not sign for the namespace '\(namespace)'"
    }
    if let validAfter, time < validAfter { return "the key is not valid yet" }
    if let validBefore, time > validBefore { return "the key has expired" }
    return nil
  }

  /// Takes a word in any case, as OpenSSH does.
  private static func take(_ word: String, from rest: inout ArraySlice<UInt8>) -> Bool {
    let start = rest.prefix(word.utf8.count)
    guard start.map({ $0.isLetter ? $0 | 0x20 : $0 }) == Array(word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private static func checkFirst(_ name: String, _ old: Any?) throws(SignatureFault) {
    guard old == nil else { throw malformed("it has \(name) twice") }
  }

  /// A text in quotes, in which `\"` stands for a quote.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(SignatureFault) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    guard rest.first == quote else { throw malformed("a value is not in quotes") }
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return text }
      if byte == UInt8(ascii: "\\"), rest.first == quote {
        text.append(quote)
        rest = rest.dropFirst()
      } else {
        text.append(byte)
      }
    }
    throw malformed("a quote is not closed")
  }

  private static func time(
    _ name: String, _ rest: inout ArraySlice<UInt8>
  ) throws(SignatureFault) -> Int {
    guard let seconds = SSHTime.seconds(try quoted(&rest)), seconds > 0 else {
      throw malformed("its \(name) is not a time like 20270131 or 20270131235900Z")
    }
    return seconds
  }

  private static func malformed(_ message: String) -> SignatureFault {
    SignatureFault(message, remedy: "fix the line; see `man ssh-keygen`, ALLOWED SIGNERS")
  }
}

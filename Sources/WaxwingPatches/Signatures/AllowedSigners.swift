// SPDX-License-Identifier: MIT

/// The signers that are allowed: OpenSSH's `allowed_signers` (ssh-keygen(1), ALLOWED SIGNERS), with
/// lines for minisign's keys, `alice@ops minisign RWQ…`, which `ssh-keygen` complains of and skips.
struct AllowedSigners: Sendable {
  /// The most bytes of a list.
  static let limit = 256 * 1024

  // Both are far above what people write. They bound the work that a line can make.
  private static let lineLimit = 16 * 1024
  private static let nameLimit = 64

  struct Line: Hashable, Sendable {
    let number: Int
    let names: [UInt8]
    let options: SignerOptions
    let key: ListedKey
  }

  let lines: [Line]

  /// The mistakes of malformed lines, as `3: the key cannot be read`. Such lines allow nobody;
  /// `ssh-keygen` also continues after them.
  let mistakes: [String]

  /// Reads a list.
  init(_ text: [UInt8]) {
    var lines: [Line] = []
    var mistakes: [String] = []
    let all = text.prefix(Self.limit).split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, text) in all.enumerated() {
      do throws(SignatureFault) {
        if let line = try Self.line(text, number: index + 1) { lines.append(line) }
      } catch {
        mistakes.append("\(index + 1): \(error.message)")
      }
    }
    self.lines = lines
    self.mistakes = mistakes
  }

  private static func line(
    _ text: ArraySlice<UInt8>, number: Int
  ) throws(SignatureFault) -> Line? {
    var line = KeyListLine(text)
    line.skip(KeyListLine.space)
    if line.isBlankOrComment { return nil }
    guard text.count <= lineLimit else {
      throw SignatureFault("the line has more than \(lineLimit) bytes")
    }
    guard let names = line.names() else { throw SignatureFault("no key after the names") }
    guard NameList.parts(of: names).count <= nameLimit else {
      throw SignatureFault("more than \(nameLimit) names in one line")
    }
    if let key = line.key() {
      return Line(number: number, names: names, options: SignerOptions(), key: key)
    }
    guard let options = line.options() else {
      throw SignatureFault("neither a key nor options followed by a key")
    }
    guard let key = line.key() else { throw SignatureFault("the key cannot be read") }
    return Line(number: number, names: names, options: try SignerOptions(options), key: key)
  }

  /// The first line that lets a key sign.
  /// - Parameter name: Who must have signed; nil for anybody whom the list knows.
  /// - Returns: Who it is.
  /// - Throws: `SignatureFault` with the reason, that of the line that came nearest.
  func identity(
    of key: ListedKey, namespace: String, at time: Int, name: String? = nil
  ) throws(SignatureFault) -> String {
    var reason: String?
    for line in lines where line.key == key {
      guard let identity = Self.identity(in: line.names, name) else { continue }
      guard let problem = line.options.reasonAgainst(namespace: namespace, at: time) else {
        return identity
      }
      reason = reason ?? "\(problem) (line \(line.number))"
    }
    throw SignatureFault(
      reason ?? "the key is not in it" + (name.map { " for \($0)" } ?? ""),
      remedy: "have it signed with an authorised key, or add the key to the list")
  }

  /// The name that is looked for, or the first one that the list of patterns lets in itself.
  private static func identity(in names: [UInt8], _ wanted: String?) -> String? {
    if let wanted { return NameList.matches(wanted.utf8, list: names) ? wanted : nil }
    let first = NameList.parts(of: names).first { part in
      !part.isNegated && !part.pattern.isEmpty && NameList.matches(part.pattern, list: names)
    }
    return first.map { String(decoding: $0.pattern, as: UTF8.self) }
  }
}

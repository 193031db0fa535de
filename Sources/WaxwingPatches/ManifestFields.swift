// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingSystem

/// The fields of a manifest table, taken one by one by the type that each must have.
struct ManifestFields {
  /// Entries of a list; a patch may have fewer overrides anyway.
  private static let listLimit = 4096
  /// Bytes of an entry, as of every name.
  private static let entryLimit = 4096

  private let file: PatchFile
  /// `limits.` inside that table, so that messages name the whole key.
  private let prefix: String
  private var fields: [String: LuaLiteral] = [:]
  private var known: [String] = []

  init(_ table: LuaLiteral, of file: PatchFile, prefix: String = "") throws(PatchError) {
    self.file = file
    self.prefix = prefix
    guard case .table(let entries) = table.value else {
      throw mistake(table.line, "'\(prefix.dropLast())' must be a table", "write { key = value }")
    }
    for entry in entries {
      guard let key = entry.key, case .string(let bytes) = key.value else {
        throw mistake(
          entry.value.line, "a value without a name in the patch table", "write key = value")
      }
      let name = String(decoding: bytes, as: UTF8.self)
      guard fields.updateValue(entry.value, forKey: name) == nil else {
        throw mistake(key.line, "'\(prefix)\(name)' is given twice", "remove one of the two")
      }
    }
  }

  /// A non-empty line of text.
  mutating func text(_ key: String) throws(PatchError) -> String? {
    guard let literal = take(key) else { return nil }
    return try line(literal, key)
  }

  private func line(_ literal: LuaLiteral, _ key: String) throws(PatchError) -> String {
    guard case .string(let bytes) = literal.value else { throw wrongType(key, literal, "a string") }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty,
      !text.unicodeScalars.contains(where: PatchTextCheck.isControl)
    else {
      throw mistake(
        literal.line, "'\(prefix)\(key)' must be one line of text and not empty", "correct it")
    }
    return text
  }

  mutating func boolean(_ key: String) throws(PatchError) -> Bool? {
    guard let literal = take(key) else { return nil }
    guard case .boolean(let value) = literal.value else {
      throw wrongType(key, literal, "true or false")
    }
    return value
  }

  /// A whole number; `5e6` counts as one.
  mutating func count(_ key: String, from minimum: Int) throws(PatchError) -> Int? {
    guard let literal = take(key) else { return nil }
    guard let value = Self.wholeNumber(literal) else {
      throw wrongType(key, literal, "a whole number")
    }
    guard value >= minimum else {
      throw mistake(literal.line, "'\(prefix)\(key)' must be \(minimum) or more", "correct it")
    }
    return value
  }

  /// A number of bytes: `8388608`, `"512K"`, `"8M"`.
  mutating func size(_ key: String) throws(PatchError) -> Int? {
    guard let literal = take(key) else { return nil }
    let value: Int?
    if case .string(let bytes) = literal.value {
      value = Self.size(String(decoding: bytes, as: UTF8.self))
    } else {
      value = Self.wholeNumber(literal)
    }
    guard let value, value > 0 else {
      throw mistake(
        literal.line, "'\(prefix)\(key)' must be a number of bytes",
        "write a number, or text like \"512K\" or \"8M\"")
    }
    return value
  }

  /// Whether a key is there; it stays.
  func has(_ key: String) -> Bool { fields[key].map { $0.value != .nil } ?? false }

  /// A list of lines of text: `{ "a", "b" }`.
  mutating func texts(_ key: String) throws(PatchError) -> [String]? {
    guard let literal = take(key) else { return nil }
    guard case .table(let entries) = literal.value, entries.allSatisfy({ $0.key == nil }) else {
      throw mistake(
        literal.line, "'\(prefix)\(key)' must be a list of strings", "write { \"one\", \"two\" }")
    }
    guard entries.count <= Self.listLimit else {
      throw mistake(
        literal.line, "'\(prefix)\(key)' has more than \(Self.listLimit) entries", "shorten it")
    }
    var texts: [String] = []
    for entry in entries {
      let text = try line(entry.value, key)
      guard text.utf8.count <= Self.entryLimit else {
        throw mistake(
          entry.value.line, "'\(prefix)\(key)' has an entry of \(text.utf8.count) bytes",
          "a name has at most \(Self.entryLimit) bytes")
      }
      texts.append(text)
    }
    return texts
  }

  /// GNU build ids, one as a text or several as a list.
  mutating func builds(_ key: String) throws(PatchError) -> [String] {
    guard let literal = fields[key] else { return try build(key).map { [$0] } ?? [] }
    guard case .table = literal.value, let texts = try texts(key) else {
      return try build(key).map { [$0] } ?? []
    }
    guard !texts.isEmpty else {
      throw mistake(
        literal.line, "'\(prefix)\(key)' is an empty list", "leave it out for any build")
    }
    var builds: [String] = []
    for text in texts { builds.append(try build(text, key, literal.line)) }
    return builds
  }

  /// A moment: `"2027-01-31T00:00:00Z"`, in seconds since 1970.
  mutating func moment(_ key: String) throws(PatchError) -> Int? {
    let line = fields[key]?.line
    guard let text = try text(key) else { return nil }
    guard let seconds = UTCDate.seconds(text) else {
      throw mistake(
        line, "'\(prefix)\(key)' must be a date and time, not '\(text)'",
        "write it like \"2027-01-31T00:00:00Z\"")
    }
    return seconds
  }

  /// A GNU build id: an even number of hexadecimal digits, in lower case.
  private mutating func build(_ key: String) throws(PatchError) -> String? {
    let line = fields[key]?.line
    guard let text = try text(key) else { return nil }
    return try build(text, key, line)
  }

  private func build(_ text: String, _ key: String, _ line: Int?) throws(PatchError) -> String {
    let isHex = text.utf8.allSatisfy { $0.hexValue != nil }
    guard isHex, text.utf8.count.isMultiple(of: 2), (8...128).contains(text.utf8.count) else {
      throw mistake(
        line, "'\(prefix)\(key)' must be a build id in hexadecimal",
        "copy it from `waxwing status`, or leave it out")
    }
    return text.lowercased()
  }

  mutating func choice<Choice>(_ key: String) throws(PatchError) -> Choice?
  where Choice: CaseIterable & RawRepresentable<String> {
    let line = fields[key]?.line
    guard let text = try text(key) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw mistake(
      line, "'\(prefix)\(key)' cannot be '\(text)'",
      NearestNames.question(for: text, in: names)
        ?? "write " + names.map { "\"\($0)\"" }.joined(separator: " or "))
  }

  mutating func table(_ key: String) throws(PatchError) -> ManifestFields? {
    guard let literal = take(key) else { return nil }
    guard case .table = literal.value else { throw wrongType(key, literal, "a table") }
    return try ManifestFields(literal, of: file, prefix: prefix + key + ".")
  }

  /// Refuses the keys that were not read.
  func refuseOthers() throws(PatchError) {
    guard let first = fields.min(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) else {
      return
    }
    throw mistake(
      first.value.line, "unknown key '\(prefix)\(first.key)' in the patch table",
      NearestNames.question(for: first.key, in: known)
        ?? "known are " + known.map { prefix + $0 }.joined(separator: ", "))
  }

  /// A field that is nil counts as absent, as in Lua.
  private mutating func take(_ key: String) -> LuaLiteral? {
    known.append(key)
    guard let literal = fields.removeValue(forKey: key), literal.value != .nil else { return nil }
    return literal
  }

  private static func wholeNumber(_ literal: LuaLiteral) -> Int? {
    switch literal.value {
    case .integer(let value): Int(exactly: value)
    case .float(let value): Int(exactly: value)
    default: nil
    }
  }

  private static func size(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    guard let last = text.last else { return nil }
    let shift = shifts[Character(last.uppercased())]
    let digits = shift == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy(\.isDigit), let number = Int(digits) else { return nil }
    let (value, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return overflow ? nil : value
  }

  private func wrongType(_ key: String, _ literal: LuaLiteral, _ wanted: String) -> PatchError {
    mistake(
      literal.line, "'\(prefix)\(key)' must be \(wanted), not \(literal.kindName)", "correct it")
  }

  private func mistake(_ line: Int?, _ message: String, _ remedy: String) -> PatchError {
    PatchError(.manifest, file: file.name, line: line, message: message, remedy: remedy)
  }
}

// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// Reads a configuration file: a line each of `key = value`, `protect PATTERN` or
/// `signer IDENTITY may override PATTERN, PATTERN`. `#` begins a comment.
///
/// Every line is checked and every mistake reported: a file with any does not hold at all.
package struct ConfigurationReader {
  /// The largest file that is read.
  static let sizeLimit = 256 * 1024

  /// Mistakes beyond these are not listed.
  private static let errorLimit = 20

  static let pathKeys = ["signers", "revoked", "store", "audit"]
  static let roleKeys = ["observe", "operate", "own"]

  /// All keys that there are but those of limits.
  package static let plainKeys =
    roleKeys + pathKeys + ["socket-group", "unsigned", "audit-required", "fields", "code-entries"]

  let file: String
  let limitNames: [String]?
  var configuration = Configuration()
  private(set) var errors: [ConfigurationError] = []
  private var seen: [String: Int] = [:]
  private var line = 0

  private init(_ file: String, limitNames: [String]?) {
    self.file = file
    self.limitNames = limitNames
  }

  /// Reads a program's file; nil: there is none.
  /// - Parameter limitNames: The limits that there are, `most-milliseconds`; nil: any.
  /// - Throws: All that is wrong with it.
  package static func read(
    _ path: String, limitNames: [String]?
  ) throws(ConfigurationErrors) -> Configuration? {
    let bytes: [UInt8]
    do throws(TrustedFile.Problem) {
      bytes = try TrustedFile.read(path, limit: sizeLimit)
    } catch {
      guard let refusal = refusal(path, error) else { return nil }
      throw ConfigurationErrors([refusal])
    }
    return try parse(bytes, file: path, limitNames: limitNames)
  }

  private static func refusal(
    _ path: String, _ problem: TrustedFile.Problem
  ) -> ConfigurationError? {
    switch problem {
    case .missing: nil
    case .unsafe(let why):
      ConfigurationError(
        file: path, line: nil, message: "the configuration is not used: \(why)",
        remedy:
          "make the file and the folders that contain it writable by root or the program's user only"
      )
    case .unreadable(let why):
      ConfigurationError(
        file: path, line: nil, message: "the configuration cannot be read: \(why)",
        remedy: "make it readable for the program's user, or remove it")
    }
  }

  /// Reads a file's text.
  package static func parse(
    _ bytes: [UInt8], file: String, limitNames: [String]?
  ) throws(ConfigurationErrors) -> Configuration {
    var reader = ConfigurationReader(file, limitNames: limitNames)
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationErrors([
        ConfigurationError(
          file: file, line: nil, message: "the configuration is not UTF-8 text",
          remedy: "write it with a text editor")
      ])
    }
    // Lines of other systems end in both characters, which are one to Swift.
    for line in text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    {
      reader.line += 1
      do throws(LineFault) { try reader.take(line) } catch {
        guard reader.errors.count < errorLimit else { break }
        reader.fail(error, reader.line)
      }
    }
    do throws(LineFault) { try reader.settleSocketGroup() } catch { reader.fail(error, nil) }
    guard reader.errors.isEmpty else {
      throw ConfigurationErrors(reader.errors, store: reader.configuration.store)
    }
    return reader.configuration
  }

  private mutating func fail(_ fault: LineFault, _ line: Int?) {
    errors.append(
      ConfigurationError(file: file, line: line, message: fault.message, remedy: fault.remedy))
  }

  private mutating func take(_ line: Substring) throws(LineFault) {
    let content = Self.trimmed(line.prefix { $0 != "#" })
    if content.isEmpty { return }
    guard let equals = content.firstIndex(of: "=") else { return try takeRule(content) }
    let key = String(Self.trimmed(content[..<equals]))
    let value = String(Self.trimmed(content[content.index(after: equals)...]))
    if let first = seen.updateValue(self.line, forKey: key) {
      throw LineFault("`\(key)` is set twice", "it is set in line \(first) already")
    }
    guard !value.isEmpty else {
      throw LineFault("`\(key)` has no value", "write `\(key) = …`, or remove the line")
    }
    try take(key, value)
  }

  static func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}

/// All errors of a configuration file.
package struct ConfigurationErrors: Error, Hashable, Sendable {
  /// The errors in the order of the lines.
  package let errors: [ConfigurationError]
  /// The folder for kept patches that the file names in a valid line. No patch is started from
  /// there while the rest is invalid, but kept patches can be seen and ended.
  package let store: String?

  /// Creates the error.
  init(_ errors: [ConfigurationError], store: String? = nil) {
    self.errors = errors
    self.store = store
  }
}

/// The error of one line.
struct LineFault: Error {
  let message: String
  let remedy: String

  init(_ message: String, _ remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}

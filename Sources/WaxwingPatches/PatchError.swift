// SPDX-License-Identifier: MIT

/// Why a patch file was refused before any of it ran.
package struct PatchError: Error, Hashable, Sendable {
  /// The kind of refusal.
  package let code: Code

  /// The file at fault, as the user knows it.
  package let file: String

  /// The line at fault, counted from 1; nil where the file as a whole is at fault.
  package let line: Int?

  /// The error in one sentence, without the place.
  package let message: String

  /// The remedy in one sentence.
  package let remedy: String

  /// Creates an error at a place in a patch.
  package init(
    _ code: Code, file: String, line: Int? = nil, message: String, remedy: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.message = message
    self.remedy = remedy
  }
}

extension PatchError {
  /// The kinds of refusal; more may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unreadable, empty, tooLarge, notLuaText, bytecode, hiddenCharacters, layout, manifest
      case signature, policy
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The file is not there, may not be read, or is not a file.
    static var unreadable: Code { Code(.unreadable) }
    /// The file has no bytes.
    static var empty: Code { Code(.empty) }
    /// A file, a line or the whole patch is above its limit.
    static var tooLarge: Code { Code(.tooLarge) }
    /// The bytes are not UTF-8 text without zeros.
    static var notLuaText: Code { Code(.notLuaText) }
    /// The file is compiled Lua.
    package static var bytecode: Code { Code(.bytecode) }
    /// The text has characters that make a reader see other code than Lua does.
    static var hiddenCharacters: Code { Code(.hiddenCharacters) }
    /// The files do not form a patch: no `main.lua`, a wrong name, too many.
    static var layout: Code { Code(.layout) }
    /// The `patch { … }` table is malformed.
    package static var manifest: Code { Code(.manifest) }
    /// The signature, its key or the list of keys is not right.
    package static var signature: Code { Code(.signature) }
    /// The patch is well-formed, and the host does not let it in.
    package static var policy: Code { Code(.policy) }

    /// The word for the kind of error.
    package var description: String { kind.rawValue }
  }
}

extension PatchError: CustomStringConvertible {
  /// `file:line: message`, the form editors and terminals link.
  package var located: String {
    guard let line else { return "\(file): \(message)" }
    return "\(file):\(line): \(message)"
  }

  /// The place, the message and the remedy in one line.
  package var description: String { "\(located); \(remedy)" }
}

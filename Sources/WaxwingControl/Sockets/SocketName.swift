// SPDX-License-Identifier: MIT

/// The name of a control socket: `bankd.sock`, or `bankd@blue.sock` for one of several instances of the
/// program.
package struct SocketName: Hashable, Sendable {
  /// The name of the program.
  package let program: String

  /// The name that distinguishes the instance from others of the program; nil for the first one,
  /// which has no name.
  package let instance: String?

  private static let suffix = ".sock"
  private static let maximumLength = 64

  /// - Throws: ``ControlError`` `unsafePath` for a name that is not one.
  package init(program: String, instance: String? = nil) throws(ControlError) {
    let isName = !program.isEmpty && !program.hasPrefix(".") && !program.contains("/")
    guard isName, !program.utf8.contains(0) else {
      throw ControlError(
        .unsafePath, message: "'\(program)' is not a program's name",
        remedy: "give the name only; for a path use --socket")
    }
    guard instance.map(Self.isInstance) ?? true else {
      throw ControlError(
        .unsafePath, message: "'\(instance ?? "")' is not an instance's name",
        remedy:
          "use at most \(Self.maximumLength) letters, digits, '.', '-' and '_', a letter or digit first"
      )
    }
    self.program = program
    self.instance = instance
  }

  /// The name of a file; nil if it is not one of a socket.
  package init?(file: String) {
    guard file.hasSuffix(Self.suffix), file.count > Self.suffix.count else { return nil }
    let name = file.dropLast(Self.suffix.count)
    if let at = name.lastIndex(of: "@"), at != name.startIndex,
      Self.isInstance(String(name[name.index(after: at)...]))
    {
      program = String(name[..<at])
      instance = String(name[name.index(after: at)...])
    } else {
      program = String(name)
      instance = nil
    }
  }

  /// The name of the file at a path; nil if it is not one of a socket.
  package init?(path: String) {
    self.init(file: String(path.split(separator: "/").last ?? ""))
  }

  /// The name with the instance, such as `bankd` or `bankd@blue`.
  package var text: String { instance.map { "\(program)@\($0)" } ?? program }

  /// The name of the socket's file.
  var file: String { text + Self.suffix }

  /// Whether the instance is named by a process id because it chose no name: no process listens
  /// under this name again once that one has ended.
  var isOfProcess: Bool {
    instance?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false
  }

  private static func isInstance(_ text: String) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
    guard let first = text.utf8.first, isWord(first) else { return false }
    return text.utf8.count <= maximumLength
      && text.utf8.allSatisfy { isWord($0) || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f }
  }
}

// SPDX-License-Identifier: MIT

/// The error with which the engine refuses or fails a request.
public struct WaxwingError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. More kinds may be added.
  public struct Code: Hashable, Sendable {
    package enum Kind { case refused, conflict, stalled, notFound, unsupported, unavailable }
    package let kind: Kind

    /// The patch: its text, its names, its program or build.
    public static let refused = Code(kind: .refused)
    /// Another patch, or another operation that is running, is in the way.
    public static let conflict = Code(kind: .conflict)
    /// Calls did not end in time.
    public static let stalled = Code(kind: .stalled)
    /// There is no patch of this name, or no method of this name that a patch has added.
    public static let notFound = Code(kind: .notFound)
    /// Functions cannot be overridden on this CPU.
    public static let unsupported = Code(kind: .unsupported)
    /// The control socket, or the program's own symbols, cannot be used.
    public static let unavailable = Code(kind: .unavailable)
  }

  /// The kind of failure.
  public let code: Code
  /// The error in a sentence; for patches with file and line.
  public let message: String
  /// Further lines: candidates, a traceback, calls in the way.
  public let details: [String]
  /// The remedy; may be empty.
  public let remedy: String

  package init(_ code: Code, _ message: String, details: [String] = [], remedy: String = "") {
    self.code = code
    self.message = message
    self.details = details
    self.remedy = remedy
  }

  /// The whole error: message, details and remedy, each on lines of its own.
  public var description: String {
    ([message] + details.map { "  " + $0 } + (remedy.isEmpty ? [] : [remedy]))
      .joined(separator: "\n")
  }
}

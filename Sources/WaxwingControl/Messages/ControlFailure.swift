// SPDX-License-Identifier: MIT

/// Why a daemon did not carry out a request, in words for the user.
package struct ControlFailure: Error, Hashable, Sendable, Codable {
  /// The kind, which decides the tool's exit code.
  package let code: Code

  /// The failure in one sentence.
  package let message: String

  /// Further lines: candidates, threads, a traceback.
  package let details: [String]

  /// The remedy in one sentence; may be empty.
  package let remedy: String

  /// Creates a failure.
  package init(_ code: Code, message: String, details: [String] = [], remedy: String = "") {
    self.code = code
    self.message = message
    self.details = details
    self.remedy = remedy
  }
}

extension ControlFailure {
  /// The kinds of failure. Open, so that a tool understands an answer of a newer daemon.
  package struct Code: Hashable, Sendable, Codable, RawRepresentable {
    /// The word on the wire.
    package let rawValue: String

    /// Creates a code, known or not.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The patch was refused: its text, its names, its program or build.
    package static let refused = Code(rawValue: "refused")
    /// Another patch, or another request, is in the way.
    package static let conflict = Code(rawValue: "conflict")
    /// Calls that are in the way did not end in time.
    package static let stalled = Code(rawValue: "stalled")
    /// Part of the request was carried out.
    package static let partial = Code(rawValue: "partial")
    /// There is no patch of this name.
    package static let notFound = Code(rawValue: "notFound")
    /// The daemon does not know the request, or its processor is not supported.
    package static let unsupported = Code(rawValue: "unsupported")
    /// The client may not ask this.
    package static let notPermitted = Code(rawValue: "notPermitted")
    /// The frame did not hold a request.
    static let invalidRequest = Code(rawValue: "invalidRequest")
    /// A fault of the engine.
    package static let `internal` = Code(rawValue: "internal")

    /// Reads the form on the wire.
    package init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the form on the wire.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }
  }
}

extension ControlFailure {
  static func newer(_ version: Int) -> ControlFailure {
    ControlFailure(
      .unsupported,
      message: "the request uses protocol \(version); this daemon knows up to "
        + "\(ControlProtocol.version)",
      remedy:
        "use the waxwing tool of the same version as the daemon, \(ControlProtocol.engineVersion)")
  }

  static func unknownVerb(_ verb: String) -> ControlFailure {
    ControlFailure(
      .unsupported, message: "this daemon does not know the request '\(verb.prefix(40))'",
      remedy:
        "use the waxwing tool of the same version as the daemon, \(ControlProtocol.engineVersion)")
  }

  static func notARequest(_ what: String) -> ControlFailure {
    ControlFailure(
      .invalidRequest, message: what, remedy: "use this socket with the waxwing tool only")
  }
}

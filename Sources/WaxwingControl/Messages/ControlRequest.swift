// SPDX-License-Identifier: MIT

/// A request of a client to a daemon: a verb with its fields, and the type of the response.
///
/// A new verb is a type of this kind, and an entry in the table of `ControlHandler`.
package protocol ControlRequest: Hashable, Sendable, Codable {
  /// The response of a daemon.
  associatedtype Response: Hashable & Sendable & Codable

  /// The request's word on the wire.
  static var verb: String { get }

  /// The response's word on the wire.
  static var result: String { get }

  /// Whether its fields stand in an object on the wire, which has the name of the verb, and not beside the verb.
  static var isNested: Bool { get }

  /// Whether clients wait with this request for events in the program, so that a long wait is no
  /// sign of trouble.
  static var isWaiting: Bool { get }

  /// The role that a client needs to ask this.
  var neededRole: ControlRole { get }

  /// The lane of the request: requests in one lane are carried out in turn.
  var lane: ControlLane { get }

  /// All names in it, of functions, types, patches and files, and parts of names.
  var names: [String] { get }
}

extension ControlRequest {
  package static var result: String { verb }
  package static var isNested: Bool { false }
  package static var isWaiting: Bool { false }
  package var lane: ControlLane { .quick }
  package var names: [String] { [] }

  /// Refuses names that are longer than any name can be, and lists that are longer than any author
  /// writes: work on a name may take longer than reading it.
  func demandBounds() throws(ControlFailure) {
    let names = self.names
    guard names.count <= ControlProtocol.maximumNames else {
      throw .tooLarge(
        "\(Self.verb) has \(names.count) names; the limit is \(ControlProtocol.maximumNames)")
    }
    for name in names where name.utf8.count > ControlProtocol.maximumName {
      let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
      throw .tooLarge(
        "a name has at most \(ControlProtocol.maximumName) bytes, and `\(start)…` has \(name.utf8.count)"
      )
    }
  }
}

/// A request that only reads, and needs the role `observe`.
package protocol ObserverRequest: ControlRequest {}

extension ObserverRequest {
  package var neededRole: ControlRole { .observe }
}

/// A request that applies or ends patches, or runs their code, and needs the role `operate`.
package protocol OperatorRequest: ControlRequest {}

extension OperatorRequest {
  package var neededRole: ControlRole { .operate }
  package var lane: ControlLane { .changing }
}

/// A request that changes the rules or reaches past them, and needs the role `own`.
package protocol OwnerRequest: ControlRequest {}

extension OwnerRequest {
  package var neededRole: ControlRole { .own }
}

extension ControlFailure {
  fileprivate static func tooLarge(_ what: String) -> ControlFailure {
    ControlFailure(
      .invalidRequest, message: what, remedy: "give the name of something that there is")
  }
}

/// Requests that take turns with each other, and with no others.
package enum ControlLane: CaseIterable, Sendable {
  /// The lane of requests that are answered at once.
  case quick
  /// The lane of requests that search all of the program's functions, or all values that patches
  /// hold.
  case searching
  /// The lane of restoring, which has to work while other requests run.
  case restoring
  /// The lane of requests that may run a patch's code, and with it code of the program, which
  /// cannot be stopped.
  case changing
  /// Messages to patches, whose replies may take long.
  case calling
  /// Clients that wait for messages of patches.
  case receiving
  /// Debuggers, for which a patch's code may run.
  case debugging
}

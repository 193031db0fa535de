// SPDX-License-Identifier: MIT

/// Decides which requests to the console are allowed. The console listens on the loopback
/// interface, where other users' programs and the pages of all web sites that the operator has open
/// can reach it, too:
///
/// * the name in `Host` has to be the console's own: another name that was made to point here (DNS rebinding)
///   is turned away;
/// * a page is shown only to a client that has the token printed when the console started;
/// * a request that changes something also needs a proof that only a script of the page can send, and the key.
package struct ConsoleAccess: Sendable {
  /// The port it listens on.
  let port: UInt16
  /// The token in the address that is printed, and later in a cookie.
  let token: String
  /// The proof in the page's data.
  let proof: String
  /// The key that the operator types to halt the fleet; nil if the console only shows.
  let key: [UInt8]?

  /// Draws the token and the proof.
  package init(port: UInt16, key: [UInt8]?) {
    self.init(port: port, token: Self.drawn(), proof: Self.drawn(), key: key)
  }

  init(port: UInt16, token: String, proof: String, key: [UInt8]?) {
    self.port = port
    self.token = token
    self.proof = proof
    self.key = key
  }

  /// The path that the console is opened with.
  package var path: String { "/?token=\(token)" }

  /// Why a request is turned away; nil: it may go on.
  func refusal(_ request: ConsoleRequest) -> ConsoleAnswer? {
    guard let host = request.host, ownHosts.contains(host.lowercased()) else {
      return .text(421, "this console answers at http://127.0.0.1:\(port) only")
    }
    guard request.method == "GET" || request.method == "POST" else {
      return .text(405, "there are only GET and POST")
    }
    // An older console on this port may have left its cookie: the token in the address counts as well.
    guard Self.isSame(request.cookie ?? "", token) || Self.isSame(request.token ?? "", token) else {
      return .text(
        403, "open the address that waxwing-fleet console has printed: it has the token")
    }
    return request.method == "POST" ? refusalToChange(request) : nil
  }

  private func refusalToChange(_ request: ConsoleRequest) -> ConsoleAnswer? {
    guard key != nil else {
      return .text(403, "this console only shows: start it with --key FILE to halt from here")
    }
    guard let origin = request.origin, ownHosts.contains(where: { origin == "http://\($0)" }),
      request.fetchSite ?? "same-origin" == "same-origin",
      request.contentType?.lowercased().hasPrefix("application/json") ?? false,
      Self.isSame(request.cookie ?? "", token), Self.isSame(request.proof ?? "", proof)
    else {
      return .text(403, "only the console's own page may do that")
    }
    return nil
  }

  /// Whether a key is the console's.
  func isKey(_ text: String) -> Bool {
    guard let key, !key.isEmpty else { return false }
    return Self.isSame(Array(text.utf8), key)
  }

  private var ownHosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  /// A random text of 128 bits.
  private static func drawn() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    isSame(Array(a.utf8), Array(b.utf8))
  }

  /// Takes as long wherever the first difference is.
  private static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count, !b.isEmpty else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

// SPDX-License-Identifier: MIT

/// A request of a browser, as far as the console looks at it.
struct ConsoleRequest: Hashable, Sendable {
  var method = "GET"
  var path = "/"
  var host: String?
  var origin: String?
  /// Where the browser says that the request comes from.
  var fetchSite: String?
  var contentType: String?
  var cookie: String?
  /// The argument `token` after the question mark.
  var token: String?
  /// A proof that only a script of the page itself can send.
  var proof: String?
  var body: [UInt8] = []
}

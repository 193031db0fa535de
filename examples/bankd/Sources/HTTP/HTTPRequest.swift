// SPDX-License-Identifier: MIT

/// A request that has arrived completely.
struct HTTPRequest {
  let head: HTTPRequestHead
  let body: [UInt8]

  var method: HTTPMethod { head.method }
  var path: String { head.path }
}

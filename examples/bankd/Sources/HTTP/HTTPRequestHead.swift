// SPDX-License-Identifier: MIT

import Foundation

/// The request line and header fields, checked as far as the protocol goes.
struct HTTPRequestHead {
  let method: HTTPMethod
  /// Decoded, without the query.
  let path: String
  /// Decoded; the last of several values for a name counts.
  let query: [String: String]
  private let minorVersion: Int
  /// By lower-case name; repeated fields are joined by commas.
  private var fields: [String: String] = [:]

  /// - Parameter line: `GET /fees?amount=1 HTTP/1.1`, without the line end.
  init(requestLine line: String) throws(HTTPError) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isToken(parts[0]), parts[1].hasPrefix("/") else {
      throw .badRequest("this is not an HTTP request line")
    }
    method = HTTPMethod(String(parts[0]))
    minorVersion = try Self.minorVersion(parts[2])
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = try Self.decoded(target[0])
    query = try Self.query(target.count > 1 ? target[1] : "")
  }

  /// - Parameter line: `Host: localhost`, without the line end.
  mutating func addField(line: String) throws(HTTPError) {
    guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
      throw .badRequest("a header field is malformed")
    }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    if let earlier = fields[name] {
      fields[name] = "\(earlier), \(value)"
    } else {
      fields[name] = value
    }
  }

  subscript(field name: String) -> String? {
    fields[name.lowercased()]
  }
}

// MARK: What the fields mean

extension HTTPRequestHead {
  /// Whether the client wants to go on using the connection.
  var keepsAlive: Bool {
    let options = (self[field: "Connection"] ?? "").lowercased().split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return minorVersion == 0 ? options.contains("keep-alive") : !options.contains("close")
  }

  /// Whether the client waits for a word before it sends the body.
  var expectsContinue: Bool {
    minorVersion > 0 && self[field: "Expect"]?.lowercased() == "100-continue"
  }

  /// The length of the body, once all fields are known.
  func bodyLength(limit: Int) throws(HTTPError) -> Int {
    guard minorVersion == 0 || self[field: "Host"] != nil else {
      throw .badRequest("the Host field is missing")
    }
    guard self[field: "Transfer-Encoding"] == nil else { throw .unsupportedTransferCoding }
    guard let text = self[field: "Content-Length"] else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 })
    else {
      throw .badRequest("the Content-Length is not a number")
    }
    // Digits that are no Int are more than any limit.
    guard let length = Int(text), length <= limit else { throw .bodyTooLarge(limit: limit) }
    return length
  }
}

// MARK: Parsing

extension HTTPRequestHead {
  private static func minorVersion(_ text: Substring) throws(HTTPError) -> Int {
    guard text.hasPrefix("HTTP/") else { throw .badRequest("this is not an HTTP request line") }
    switch text {
    case "HTTP/1.0": return 0
    case "HTTP/1.1": return 1
    default: throw .unsupportedVersion
    }
  }

  private static func query(_ text: Substring) throws(HTTPError) -> [String: String] {
    var query: [String: String] = [:]
    for item in text.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[try decoded(pair[0])] = pair.count > 1 ? try decoded(pair[1]) : ""
    }
    return query
  }

  private static func decoded(_ text: Substring) throws(HTTPError) -> String {
    guard let decoded = String(text).removingPercentEncoding else {
      throw .badRequest("the request target is not valid percent-encoded UTF-8")
    }
    return decoded
  }

  /// Whether `text` is a token in the sense of RFC 9110, section 5.6.2.
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

// SPDX-License-Identifier: MIT

import Foundation

/// Messages of the Debug Adapter Protocol as bytes: a header with `Content-Length`, an empty line, JSON.
/// <https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol>
struct DebugFrameDecoder {
  /// What came is no message; what follows cannot be read either.
  struct Failure: Error, Equatable {
    let message: String
  }

  /// Bytes of one message, and of its header.
  static let largestMessage = 4 << 20
  private static let largestHeader = 4096

  private var bytes: [UInt8] = []

  mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// Whether a message has begun to arrive.
  var isInsideMessage: Bool { !bytes.isEmpty }

  /// The next whole message, or nil.
  mutating func next() throws(Failure) -> [UInt8]? {
    guard let end = headerEnd else {
      guard bytes.count <= Self.largestHeader else {
        throw Failure(message: "there is no message: a header has no end")
      }
      return nil
    }
    let length = try Self.length(in: String(decoding: bytes[..<end], as: UTF8.self))
    let start = end + 4
    guard bytes.count >= start + length else { return nil }
    defer { bytes.removeFirst(start + length) }
    return Array(bytes[start..<start + length])
  }

  private var headerEnd: Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...min(bytes.count - 4, Self.largestHeader)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  private static func length(in header: String) throws(Failure) -> Int {
    for line in header.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      guard let length = Int(parts[1].filter { !$0.isWhitespace }), length >= 0,
        length <= largestMessage
      else { throw Failure(message: "a message has a length that none may have:\(parts[1])") }
      return length
    }
    throw Failure(message: "a message has no Content-Length")
  }
}

/// Encodes messages as frames of the debug adapter protocol.
enum DebugFrameEncoder {
  static func frame(_ message: [String: Any]) -> [UInt8] {
    let json = try? JSONSerialization.data(
      withJSONObject: message, options: [.sortedKeys, .withoutEscapingSlashes])
    let bytes = Array(json ?? Data("{}".utf8))
    return Array("Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes
  }
}

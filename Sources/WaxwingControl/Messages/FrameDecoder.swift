// SPDX-License-Identifier: MIT

/// Cuts a stream of bytes into frames. The bytes are foreign: a length above the limit is refused
/// before anything is allocated for it.
package struct FrameDecoder {
  private var buffer: [UInt8] = []
  private let limit: Int

  /// Creates a decoder that has received nothing yet.
  /// - Parameter limit: The most bytes of JSON in a frame.
  package init(limit: Int = ControlProtocol.maximumRequest) { self.limit = limit }

  /// The bytes that are kept for a frame that is not whole.
  package var pendingBytes: Int { buffer.count }

  /// Whether a frame has begun and not ended.
  var isInsideFrame: Bool { !buffer.isEmpty }

  package mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// The JSON of the next whole frame; nil until there is one.
  /// - Throws: ``ControlFailure`` if the bytes are no frame; the stream is useless from then on.
  package mutating func next() throws(ControlFailure) -> [UInt8]? {
    guard buffer.count >= ControlProtocol.headerLength else { return nil }
    let header = buffer.prefix(ControlProtocol.headerLength)
    let length = header.reduce(0) { $0 << 8 | Int($1) }
    guard length > 0 else { throw ControlFailure.notARequest("the frame is empty") }
    guard length <= limit else {
      throw ControlFailure.notARequest(
        "a frame of \(length) bytes is announced; the limit is \(limit)")
    }
    let end = ControlProtocol.headerLength + length
    guard buffer.count >= end else { return nil }
    let json = Array(buffer[ControlProtocol.headerLength..<end])
    buffer.removeSubrange(..<end)
    return json
  }
}

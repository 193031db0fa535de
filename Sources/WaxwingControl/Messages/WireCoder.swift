// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Turns messages into frames and the JSON of frames into messages.
package enum WireCoder {
  /// A frame: length and JSON.
  /// - Parameters:
  ///   - limit: The most bytes of JSON.
  ///   - remedy: What whoever meets it can do.
  /// - Throws: ``ControlError`` if the message is larger than a frame may be.
  package static func frame(
    _ message: some Encodable, limit: Int = ControlProtocol.maximumRequest,
    remedy: String = "make the patch smaller"
  ) throws(ControlError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json: Data
    do { json = try encoder.encode(message) } catch {
      throw ControlError(
        .protocolViolation, message: "a message cannot be written as JSON: \(error)",
        remedy: "please report this")
    }
    guard json.count <= limit else {
      throw ControlError(
        .protocolViolation,
        message: "a message of \(json.count) bytes exceeds the limit of \(limit)", remedy: remedy)
    }
    let length = UInt32(json.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + json
  }

  /// The frame of a request.
  /// - Throws: ``ControlError`` if the request is larger than a frame may be.
  package static func frame(of request: some ControlRequest) throws(ControlError) -> [UInt8] {
    try frame(SentRequest(request: request))
  }

  /// The request that a frame holds.
  /// - Throws: ``ControlFailure`` if it is none that there is an answer to.
  package static func request(
    _ json: [UInt8], for answers: ControlAnswers
  ) throws(ControlFailure) -> ReceivedRequest {
    let decoder = JSONDecoder()
    decoder.userInfo[ReceivedRequest.answers] = answers
    do { return try decoder.decode(ReceivedRequest.self, from: Data(json)) } catch {
      if let failure = error as? ControlFailure { throw failure }
      throw ControlFailure.notARequest("the frame is not a request: \(summary(of: error))")
    }
  }

  /// The response to a request that a frame holds.
  static func response<Request: ControlRequest>(
    _ json: [UInt8], to request: Request.Type
  ) throws(ControlError) -> Result<Request.Response, ControlFailure> {
    do {
      return try JSONDecoder().decode(ReceivedResponse<Request>.self, from: Data(json)).response
    } catch {
      if let mismatch = error as? ControlError { throw mismatch }
      throw ControlError(
        .protocolViolation, message: "the daemon's answer is malformed: \(summary(of: error))",
        remedy: "check that the tool and the daemon are of the same version (`waxwing status`)")
    }
  }

  /// The decoder's own sentence without the tree of contexts.
  private static func summary(of error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "the field '\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "the field '\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
    case .dataCorrupted(let context): context.debugDescription
    case nil: "it cannot be read"
    @unknown default: "it cannot be read"
    }
  }
}

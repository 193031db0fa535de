// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A document whose numbers are computed with: not all that fit are sense.
package protocol CheckedDocument {
  /// The defect of the document; nil if it has none.
  var defect: String? { get }
}

/// The JSON of documents. There is one way to write a document, so that its bytes can be signed and hashed.
package enum DocumentCoder {
  /// The bytes of a document: its keys in order, without spaces.
  package static func encode(_ document: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Documents have no numbers that JSON cannot write, which is all that can fail.
    guard let data = try? encoder.encode(document) else { return Array("{}".utf8) }
    return Array(data)
  }

  /// Decodes a document from bytes.
  /// - Parameter name: The name of the document in messages.
  /// - Throws: ``FleetError`` `untrusted` if they hold none.
  package static func decode<Document: Decodable>(
    _ type: Document.Type, from bytes: [UInt8], named name: String
  ) throws(FleetError) -> Document {
    let document: Document
    do { document = try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw malformed(name, summary(of: error))
    }
    if let defect = (document as? any CheckedDocument)?.defect { throw malformed(name, defect) }
    return document
  }

  private static func malformed(_ name: String, _ why: String) -> FleetError {
    FleetError(
      .untrusted, "\(name) is malformed: \(why)",
      remedy:
        "find out who wrote it: the fleet's tools do not; `waxwing-fleet doctor` names the key")
  }

  /// The decoder's own sentence without the tree of contexts.
  private static func summary(of error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "the field '\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "the field '\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
    case .dataCorrupted(let context): context.debugDescription
    default: "it cannot be read"
    }
  }
}

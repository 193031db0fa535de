// SPDX-License-Identifier: MIT

import FoundationEssentials

/// One file of a patch on its way to the daemon; the bytes travel as Base64.
package struct PatchFilePayload: Hashable, Sendable {
  /// The path inside the patch, as in `PatchFile`.
  package let name: String

  /// The text of the file.
  package let bytes: [UInt8]

  /// Creates a payload; the daemon checks it.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension PatchFilePayload: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, bytes
  }

  /// Reads the form on the wire.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    bytes = Array(try container.decode(Data.self, forKey: .bytes))
  }

  /// Writes the form on the wire.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(Data(bytes), forKey: .bytes)
  }
}

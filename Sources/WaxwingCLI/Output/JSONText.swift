// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The JSON that `--json` prints: keys in order, so that two outputs can be compared as text.
enum JSONText {
  static func of(_ value: some Encodable) throws(CommandError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
      throw CommandError(.failure, "cannot write JSON: \(error)", remedy: "please report this")
    }
  }
}

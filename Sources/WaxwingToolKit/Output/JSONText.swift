// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingControl
import WaxwingDeclarations

/// The JSON that `--json` prints: keys in order, so that two outputs can be compared as text, and
/// without characters that a terminal would interpret.
package enum JSONText {
  /// The value on one line, for errors. A value that cannot be encoded is written as an empty
  /// object.
  package static func line(of value: some Encodable) -> String {
    let encoder = encoder([.sortedKeys, .withoutEscapingSlashes])
    guard let json = try? encoder.encode(value) else { return "{}" }
    return VisibleText.json(String(decoding: json, as: UTF8.self))
  }

  private static func encoder(_ formatting: JSONEncoder.OutputFormatting) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    if let key = TimesReport.namesUnits { encoder.userInfo[key] = true }
    return encoder
  }

  package static func of(_ value: some Encodable) throws(CommandError) -> String {
    let encoder = encoder([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    do {
      return VisibleText.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      throw CommandError(.failure, "cannot write JSON: \(error)", remedy: "please report this")
    }
  }
}

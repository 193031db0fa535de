// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingDeclarations
package import WaxwingFleet
import WaxwingSystem

/// Where a program writes to. Nothing that a store or a daemon says can look like another line, or move the
/// cursor.
package struct FleetConsole: Sendable {
  /// The program's name, for messages.
  package let program: String

  /// Takes the name.
  package init(program: String) { self.program = program }

  /// Writes lines to standard output.
  package func print(_ lines: [String]) { write(lines, to: STDOUT_FILENO) }

  /// Writes a text of this program's own to standard output as it is.
  package func print(document text: String) {
    writeBytes(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes a line to standard output.
  package func print(_ line: String) { print([line]) }

  /// Writes a document as JSON, its keys in order.
  package func print(json document: some Encodable) throws(FleetError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      let text = VisibleText.json(String(decoding: try encoder.encode(document), as: UTF8.self))
      writeBytes(Array((text + "\n").utf8), to: STDOUT_FILENO)
    } catch {
      throw FleetError(.invalid, "cannot write JSON: \(error)", remedy: "please report this")
    }
  }

  /// Writes a warning to standard error.
  package func warn(_ message: String) {
    write(["\(program): warning: \(message)"], to: STDERR_FILENO)
  }

  /// Writes an error to standard error.
  package func report(_ error: FleetError) {
    var lines = ["\(program): \(error.message)"]
    if !error.remedy.isEmpty { lines.append("\(program): hint: \(error.remedy)") }
    write(lines, to: STDERR_FILENO)
  }

  private func write(_ lines: [String], to descriptor: Int32) {
    let text = lines.map { VisibleText.line($0) + "\n" }.joined()
    writeBytes(Array(text.utf8), to: descriptor)
  }

  private func writeBytes(_ bytes: [UInt8], to descriptor: Int32) {
    // Whoever reads may have gone; there is nobody to tell.
    try? SystemCall.writeAll(bytes[...], to: descriptor)
  }
}

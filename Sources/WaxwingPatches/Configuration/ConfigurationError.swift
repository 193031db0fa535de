// SPDX-License-Identifier: MIT

/// Why a configuration file does not hold.
package struct ConfigurationError: Error, Hashable, Sendable {
  /// The path of the file.
  let file: String
  /// The line, counted from 1; nil where the file as a whole is at fault.
  let line: Int?
  /// The problem, without the place.
  package let message: String
  /// The remedy.
  let remedy: String

  /// The error on one line: `file:line: message; remedy`.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }
}

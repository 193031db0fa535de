// SPDX-License-Identifier: MIT

import Glibc

/// Results go to standard output, everything else to standard error.
///
/// Names and messages come from patches and programs, so what could steer a terminal (control
/// characters, marks that turn text) is shown as `\u{…}` and never sent.
final class Console {
  private var outputError: Int32?

  /// Prints a result and a line break.
  func print(_ text: String) {
    if let number = write(Self.harmless(text) + "\n", to: STDOUT_FILENO) { outputError = number }
  }

  func report(_ error: CommandError) {
    var lines = ["waxwing: error: \(error.message)"]
    lines += error.details.map { "  " + $0 }
    if !error.remedy.isEmpty { lines.append("waxwing: hint: \(error.remedy)") }
    _ = write(Self.harmless(lines.joined(separator: "\n")) + "\n", to: STDERR_FILENO)
  }

  /// What went wrong, as it is, to standard error.
  func reportLines(_ lines: [String]) {
    _ = write(Self.harmless(lines.joined(separator: "\n")) + "\n", to: STDERR_FILENO)
  }

  func warn(_ message: String) {
    _ = write(Self.harmless("waxwing: warning: \(message)") + "\n", to: STDERR_FILENO)
  }

  /// A result that could not be printed (a full disk, say) is not a success.
  func checkOutput() throws(CommandError) {
    guard let outputError else { return }
    throw CommandError(
      .failure, "cannot write the result: \(String(cString: strerror(outputError)))",
      remedy: "the command itself was carried out; look with `waxwing status`")
  }

  static func harmless(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isHarmless(scalar) {
        result.append(scalar)
      } else {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(result)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }

  /// The error number, or nil.
  private func write(_ text: String, to descriptor: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}

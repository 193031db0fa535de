// SPDX-License-Identifier: MIT

/// Command lines that can be typed as they stand.
enum ShellText {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-")

  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}

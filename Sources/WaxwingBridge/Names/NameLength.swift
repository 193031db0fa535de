// SPDX-License-Identifier: MIT

/// How long the name of a function, type or module may be that a script, a manifest or a client gives.
///
/// Work on a name is linear in its length at best, and all types of a program are compared with it: a name
/// that no program has is refused before anything looks for it.
enum NameLength {
  /// The greatest length of a name in bytes of UTF-8.
  static let most = 4096

  /// - Throws: `NameError` if a name is longer.
  static func demand(_ name: String) throws(NameError) {
    guard name.utf8.count > most else { return }
    throw NameError(
      "a name has at most \(most) bytes, and `\(name.unicodeScalars.prefix(40).map(String.init).joined())…` has "
        + "\(name.utf8.count)")
  }
}

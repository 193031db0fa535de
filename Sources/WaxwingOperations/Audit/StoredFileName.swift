// SPDX-License-Identifier: MIT

/// The names of files that the instances of a program must not share.
package enum StoredFileName {
  /// The audit log of a named instance, where the configuration names one for the program.
  package static func audit(_ path: String, ofInstance name: String) -> String {
    let suffix = ".audit"
    guard path.hasSuffix(suffix) else { return "\(path)@\(name)" }
    return "\(path.dropLast(suffix.count))@\(name)\(suffix)"
  }
}

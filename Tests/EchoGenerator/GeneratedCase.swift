// SPDX-License-Identifier: MIT

/// The source of one `EchoCase`, and of the function that tries it.
struct GeneratedCase {
  let name: String
  let signature: String
  let owner: String
  let echo: String
  let original: String
  let other: String
  /// The statements of its check.
  let check: [String]

  var checkText: String {
    "func check_\(name)(_ dice: inout Dice) -> String? {\n  "
      + check.joined(separator: "\n  ") + "\n}\n"
  }

  var caseText: String {
    let texts = [
      ("name", name), ("signature", signature), ("owner", owner), ("echo", echo),
      ("original", original), ("other", other),
    ].map { "\($0): #\"\($1)\"#" }
    return "EchoCase(" + texts.joined(separator: ", ") + ", check: check_\(name))"
  }
}

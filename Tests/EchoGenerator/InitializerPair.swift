// SPDX-License-Identifier: MIT

/// A type with two initializers that keep their arguments.
struct InitializerPair {
  let index: Int
  let isClass: Bool
  let signature: Signature

  private var owner: String { "Made\(isClass ? "Object" : "Value")\(index)" }
  private var indices: Range<Int> { signature.parameters.indices }

  var declaration: String {
    let fields = signature.parameters.enumerated().map {
      "  let p\($0): \($1.type.spelling)\n"
    }.joined()
    let assignments = indices.map { "self.p\($0) = p\($0)" }.joined(separator: "; ")
    let initializers = ["alpha", "beta"].map {
      "  public init\(parameters($0)) { \(assignments) }\n"
    }.joined()
    return
      "public \(isClass ? "final class" : "struct") \(owner)"
      + "\(isClass ? ": Tracked, @unchecked Sendable" : "") {\n" + fields + initializers + "}\n"
  }

  private func parameters(_ label: String) -> String {
    let texts = signature.parameters.enumerated().map { index, parameter in
      (index == 0 ? label : parameter.label ?? "_") + " p\(index): " + parameter.type.spelling
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private func selector(_ label: String) -> String {
    let labels = signature.parameters.dropFirst().map { ($0.label ?? "_") + ":" }
    return "init(\(label):" + labels.joined() + ")"
  }

  private func arguments(_ label: String) -> String {
    let texts = signature.parameters.enumerated().map { index, parameter in
      ((index == 0 ? label : parameter.label).map { $0 + ": " } ?? "") + "p\(index)"
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made("alpha", &table), made("beta", &table)]
  }

  private func made(_ label: String, _ table: inout DrawTable) -> GeneratedCase {
    let selector = selector(label)
    let draws = signature.parameters.enumerated().map {
      "let p\($0) = \(table.function(for: $1.type))(&dice)"
    }
    let fingerprints = { (prefix: String) in
      "[" + indices.map { "Fingerprint.of(\(prefix)p\($0))" }.joined(separator: ", ") + "]"
    }
    return GeneratedCase(
      name: "\(label)\(index)", signature: "\(owner).init\(parameters(label))",
      owner: "class \"EchoFixture.\(owner)\"", echo: "",
      original: "H[\"\(selector)\"] = function(self, ...) self[\"ORIG\(selector)\"](self, ...) end",
      other: "",
      check: draws + [
        "let made = \(owner)\(arguments(label))",
        "return difference(\(fingerprints("")), \(fingerprints("made.")))",
      ])
  }
}

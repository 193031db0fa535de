// SPDX-License-Identifier: MIT

/// A type with two subscripts over the same indices: the getter returns one of them, the setter
/// keeps them and the value.
struct SubscriptPair {
  let index: Int
  let isClass: Bool
  let signature: Signature

  private var owner: String { "Subscript\(index)" }
  private var element: EchoType { signature.parameters[0].type }

  var declaration: String {
    let bodies = ["alpha", "beta"].map {
      """
        public subscript\(parameters($0)) -> \(element.spelling) {
          get { p0 }
          set { last = [\((["newValue"] + names).map { "Fingerprint.of(\($0))" }.joined(separator: ", "))] }
        }

      """
    }.joined()
    return """
      public \(isClass ? "final class" : "struct") \(owner)\(isClass ? ": Tracked, @unchecked Sendable" : "") {
        var last: [String] = []
      \(bodies)}

      """
  }

  private var names: [String] { signature.parameters.indices.map { "p\($0)" } }

  private func parameters(_ label: String) -> String {
    let texts = signature.parameters.enumerated().map { index, parameter in
      (index == 0 ? label : parameter.label ?? "_") + " p\(index): " + parameter.type.spelling
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private func selector(_ label: String) -> String {
    let labels = signature.parameters.dropFirst().map { ($0.label ?? "_") + ":" }
    return "subscript(\(label):" + labels.joined() + ")"
  }

  private func arguments(_ label: String) -> String {
    let texts = signature.parameters.enumerated().map { index, parameter in
      ((index == 0 ? label : parameter.label).map { $0 + ": " } ?? "") + "p\(index)"
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made("alpha", &table), made("beta", &table)]
  }

  private func made(_ label: String, _ table: inout DrawTable) -> GeneratedCase {
    let selector = selector(label)
    let list = (["self"] + names).joined(separator: ", ")
    let setter =
      "H.set[\"\(selector)\"] = function(self, ...) self[\"ORIG\(selector)\"](self, ...) end"
    let draws = signature.parameters.enumerated().map {
      "let p\($0) = \(table.function(for: $1.type))(&dice)"
    }
    let element = element.elements.map { $0.indices.map { "p0[\($0 + 1)]" } } ?? ["p0"]
    return GeneratedCase(
      name: "\(label)\(index)", signature: "\(owner) subscript\(parameters(label))",
      owner: "class \"EchoFixture.\(owner)\"",
      echo: "H.get[\"\(selector)\"] = function(\(list)) return "
        + "\(element.joined(separator: ", ")) end " + setter,
      original: "H.get[\"\(selector)\"] = "
        + "function(self, ...) return self[\"ORIG\(selector)\"](self, ...) end " + setter,
      other: "",
      check: [isClass ? "let home = \(owner)()" : "var home = \(owner)()"] + draws + [
        "let value = \(table.function(for: self.element))(&dice)",
        "let got = home\(arguments(label))",
        "home\(arguments(label)) = value",
        "let expected = [\((["p0", "value"] + names).map { "Fingerprint.of(\($0))" }.joined(separator: ", "))]",
        "return difference(expected, [Fingerprint.of(got)] + home.last)",
      ])
  }
}

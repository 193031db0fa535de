// SPDX-License-Identifier: MIT

/// A type with two computed properties over one stored one, so that an override of either can use
/// the other.
struct PropertyPair {
  let index: Int
  let isClass: Bool
  let type: EchoType

  private var owner: String { "Property\(index)" }

  func declaration(_ table: inout DrawTable) -> String {
    let accessors = ["alpha", "beta"].map {
      "  public var \($0)\(index): \(type.spelling) { get { stored } set { stored = newValue } }\n"
    }.joined()
    return """
      public \(isClass ? "final class" : "struct") \(owner)\(isClass ? ": Tracked, @unchecked Sendable" : "") {
        private var stored: \(type.spelling)
        init(stored: \(type.spelling)) { self.stored = stored }
      \(accessors)}

      """
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made("alpha", other: "beta", &table), made("beta", other: "alpha", &table)]
  }

  private func made(_ base: String, other: String, _ table: inout DrawTable) -> GeneratedCase {
    let name = "\(base)\(index)"
    let draw = table.function(for: type) + "(&dice)"
    let getter = { (body: String) in "function H.get:\(name)() \(body) end" }
    let setter = { (body: String) in "function H.set:\(name)(value) \(body) end" }
    return GeneratedCase(
      name: name, signature: "\(owner) var \(name): \(type.spelling)",
      owner: "class \"EchoFixture.\(owner)\"",
      echo: getter("return self:ORIG\(name)()"), original: setter("self:ORIG\(name)(value)"),
      other: getter("return self.\(other)\(index)") + " "
        + setter("self.\(other)\(index) = value"),
      check: [
        "\(isClass ? "let" : "var") home = \(owner)(stored: \(draw))", "let value = \(draw)",
        "let before = Fingerprint.of(home.\(name))",
        "let expected = [Fingerprint.of(home.\(other)\(index)), Fingerprint.of(value)]",
        "home.\(name) = value",
        "return difference(expected, [before, Fingerprint.of(home.\(name))])",
      ])
  }
}

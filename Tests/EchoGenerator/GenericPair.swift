// SPDX-License-Identifier: MIT

/// Two generic functions, or members of a generic type, used with one type for each parameter.
struct GenericPair {
  enum Form: CaseIterable {
    case function, twoParameters, hashable, `class`, `struct`
  }

  let index: Int
  let form: Form
  let first: EchoType
  let second: EchoType

  private var names: (String, String) { ("alpha\(index)", "beta\(index)") }
  private var owner: String { "Chest\(index)" }
  private var isMember: Bool { form == .class || form == .struct }

  var declarations: String {
    let functions = [names.0, names.1].map { "  \(modifiers)func \($0)\(signature) { \(body) }\n" }
      .joined()
    guard isMember else { return functions }
    let parent = form == .class ? ": Tracked, @unchecked Sendable" : ""
    let super_ = form == .class ? "; super.init()" : ""
    return "public \(form == .class ? "final class" : "struct") \(owner)<Element>\(parent) {\n"
      + "  public var stored: Element\n"
      + "  public init(stored: Element) { self.stored = stored\(super_) }\n" + functions + "}\n"
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made(names.0, &table), made(names.1, &table)]
  }

  private var modifiers: String {
    switch form {
    case .class: "public "
    case .struct: "public mutating "
    default: ""
    }
  }

  private var signature: String {
    switch form {
    case .function: "<T>(_ p0: T, _ p1: [T]) -> T?"
    case .twoParameters: "<T, U>(_ p0: T, _ p1: U, _ p2: Int) -> Pair<U, T>"
    case .hashable: "<T: Hashable>(_ p0: T, _ p1: [T: Int8]) -> [T: Int8]"
    case .class, .struct: "(_ p0: Element, _ p1: [Element]) -> Element?"
    }
  }

  private var body: String {
    switch form {
    case .function: "Heard.note([Fingerprint.of(p1)]); return p0"
    case .twoParameters: "Heard.note([Fingerprint.of(p2)]); return Pair(first: p1, second: p0)"
    case .hashable: "Heard.note([Fingerprint.of(p0)]); return p1"
    case .class, .struct:
      "Heard.note([Fingerprint.of(p1)]); let old = stored; stored = p0; return old"
    }
  }

  private var echo: String {
    switch form {
    case .function: "function(p0, p1) return p0 end"
    case .twoParameters: "function(p0, p1, p2) return { first = p1, second = p0 } end"
    case .hashable: "function(p0, p1) return p1 end"
    case .class, .struct:
      "function(self, p0, p1) local old = self.stored self.stored = p0 return old end"
    }
  }

  private func made(_ name: String, _ table: inout DrawTable) -> GeneratedCase {
    let selector = name + (form == .twoParameters ? "(_:_:_:)" : "(_:_:)")
    let target = "H[\"\(form == .struct ? "mutating " : "")\(selector)\"] = "
    return GeneratedCase(
      name: name,
      signature: "\(isMember ? owner : "") func \(name)\(signature), "
        + "\(first.spelling), \(second.spelling)",
      owner: isMember ? "class \"EchoFixture.\(owner)\"" : "module \"EchoFixture\"",
      echo: target + echo,
      original: target
        + (isMember
          ? "function(self, ...) return self[\"ORIG\(selector)\"](self, ...) end"
          : "function(...) return H[\"ORIG\(selector)\"](...) end"),
      // Called by name, the arguments' dynamic types would be those of the parameters.
      other: "", check: check(name, &table))
  }

  private func check(_ name: String, _ table: inout DrawTable) -> [String] {
    let draw = { (type: EchoType, table: inout DrawTable) in table.function(for: type) + "(&dice)" }
    switch form {
    case .function:
      return [
        "let p0 = \(draw(first, &table))", "let p1 = \(draw(.array(first), &table))",
        "let result = \(name)(p0, p1)", compared("Optional(p0)", heard: "p1"),
      ]
    case .twoParameters:
      return [
        "let p0 = \(draw(first, &table))", "let p1 = \(draw(second, &table))",
        "let p2 = dice.integer(Int.self)", "let result = \(name)(p0, p1, p2)",
        compared("Pair(first: p1, second: p0)", heard: "p2"),
      ]
    case .hashable:
      let value = EchoType.plain("Int8", draw: "dice.integer(Int8.self)", traits: .isSmall)
      return [
        "let p0 = \(draw(first, &table))", "let p1 = \(draw(.dictionary(first, value), &table))",
        "let result = \(name)(p0, p1)", compared("p1", heard: "p0"),
      ]
    case .class, .struct:
      return [
        "\(form == .class ? "let" : "var") home = \(owner)(stored: \(draw(first, &table)))",
        "let old = home.stored", "let p0 = \(draw(first, &table))",
        "let p1 = \(draw(.array(first), &table))", "let result = home.\(name)(p0, p1)",
        "return difference([Fingerprint.of(Optional(old)), Fingerprint.of(p0)], "
          + "[Fingerprint.of(result), Fingerprint.of(home.stored)])"
          + " ?? Heard.difference([Fingerprint.of(p1)])",
      ]
    }
  }

  private func compared(_ expected: String, heard: String) -> String {
    "return difference([Fingerprint.of(\(expected))], [Fingerprint.of(result)])"
      + " ?? Heard.difference([Fingerprint.of(\(heard))])"
  }
}

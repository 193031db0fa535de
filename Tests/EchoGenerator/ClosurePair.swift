// SPDX-License-Identifier: MIT

/// Two methods of a class that take a closure, and call it or give it back.
struct ClosurePair {
  enum Form: CaseIterable {
    case called, throwing, `inout`, optional, returned
  }

  static let owner = "ClosureHome"
  static let header = "public class \(owner): Tracked, @unchecked Sendable {\n"

  let index: Int
  let form: Form
  let first: EchoType
  let second: EchoType

  private var names: (String, String) { ("alpha\(index)", "beta\(index)") }

  var declarations: String {
    [names.0, names.1].map { "  public func \($0)\(signature) { \(body) }\n" }.joined()
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made(names.0, other: names.1, &table), made(names.1, other: names.0, &table)]
  }

  private func made(_ name: String, other: String, _ table: inout DrawTable) -> GeneratedCase {
    let selector = "(" + String(repeating: "_:", count: parameters.count) + ")"
    let call = { (name: String, closure: String) in
      let arguments = (["self"] + parameters.dropLast() + [closure]).joined(separator: ", ")
      return "self[\"\(name)\(selector)\"](\(arguments))"
    }
    let target = "H[\"\(name)\(selector)\"] = "
    let function = { (body: String) in
      "\(target)function(\((["self"] + parameters).joined(separator: ", "))) \(body) end"
    }
    return GeneratedCase(
      name: name, signature: "\(Self.owner) func \(name)\(signature)",
      owner: "class \"EchoFixture.\(Self.owner)\"", echo: function(echo),
      original: function(forward(call("ORIG" + name, wrapped))),
      other: function("return " + call(other, "body")), check: check(name, &table))
  }

  // MARK: In Swift

  private var closureType: String {
    switch form {
    case .called: "(\(first.spelling), \(second.spelling)) -> \(second.spelling)"
    case .throwing: "(\(first.spelling), \(second.spelling)) throws -> \(second.spelling)"
    case .inout: "(inout \(first.spelling), \(first.spelling)) -> Void"
    case .optional: "((\(first.spelling)) -> \(first.spelling))?"
    case .returned: "(\(first.spelling)) -> \(first.spelling)"
    }
  }

  private var signature: String {
    switch form {
    case .called, .throwing:
      "(_ p0: \(first.spelling), _ p1: \(second.spelling), _ body: \(closureType))"
        + "\(form == .throwing ? " throws" : "") -> \(second.spelling)"
    case .inout:
      "(_ p0: \(first.spelling), _ p1: \(first.spelling), _ body: \(closureType))"
        + " -> \(first.spelling)"
    case .optional: "(_ p0: \(first.spelling), _ body: \(closureType)) -> \(first.spelling)"
    case .returned: "(_ body: @escaping \(closureType)) -> \(closureType)"
    }
  }

  private var body: String {
    switch form {
    case .called: "body(p0, p1)"
    case .throwing: "try body(p0, p1)"
    case .inout: "var value = p0; body(&value, p1); return value"
    case .optional: "body.map { $0(p0) } ?? p0"
    case .returned: "body"
    }
  }

  /// Every closure notes what it gets; `p0` and `p1` are what it should get.
  private func check(_ name: String, _ table: inout DrawTable) -> [String] {
    let draws = [first, form == .inout ? first : second].enumerated().map {
      "let p\($0) = \(table.function(for: $1))(&dice)"
    }
    return ["let home = \(Self.owner)()", "var heard = [\"not called\"]"] + draws + trial(name)
  }

  private func trial(_ name: String) -> [String] {
    let both = "heard = [Fingerprint.of($0), Fingerprint.of($1)]"
    switch form {
    case .called:
      return [
        "let result = home.\(name)(p0, p1) { \(both); return $1 }",
        compared(["p0", "p1", "p1"]),
      ]
    case .throwing:
      return [
        "let failure = dice.optional { $0.failure() }",
        "let outcome = failure.map { \"threw \" + Fingerprint.of($0) } ?? Fingerprint.of(p1)",
        "let expected = [Fingerprint.of(p0), Fingerprint.of(p1), outcome]",
        "do {",
        "let result = try home.\(name)(p0, p1) { \(both); if let failure { throw failure }; return $1 }",
        "return difference(expected, heard + [Fingerprint.of(result)])",
        "} catch { return difference(expected, heard + [\"threw \" + Fingerprint.of(error)]) }",
      ]
    case .inout:
      return [
        "let result = home.\(name)(p0, p1) { \(both); $0 = $1 }", compared(["p0", "p1", "p1"]),
      ]
    case .optional:
      return [
        "_ = p1",
        "let body: (\(closureType)) = dice.bool() ? { heard = [Fingerprint.of($0)]; return $0 } : nil",
        "let result = home.\(name)(p0, body)",
        "return difference([body == nil ? \"not called\" : Fingerprint.of(p0), Fingerprint.of(p0)], "
          + "heard + [Fingerprint.of(result)])",
      ]
    case .returned:
      return [
        "_ = p1", "let made = home.\(name) { heard = [Fingerprint.of($0)]; return $0 }",
        "let result = made(p0)", compared(["p0", "p0"]),
      ]
    }
  }

  private func compared(_ expected: [String]) -> String {
    let texts = expected.map { "Fingerprint.of(\($0))" }.joined(separator: ", ")
    return "return difference([\(texts)], heard + [Fingerprint.of(result)])"
  }

  // MARK: In Lua

  private var parameters: [String] {
    switch form {
    case .called, .throwing, .inout: ["p0", "p1", "body"]
    case .optional: ["p0", "body"]
    case .returned: ["body"]
    }
  }

  private var echo: String {
    switch form {
    case .called, .throwing, .inout: "return body(p0, p1)"
    case .optional: "if body then return body(p0) end return p0"
    case .returned: "return body"
    }
  }

  /// A Lua function around the closure.
  private var wrapped: String {
    let function = "function(...) return body(...) end"
    return form == .optional ? "body and \(function)" : function
  }

  private func forward(_ call: String) -> String {
    form == .returned
      ? "local made = \(call) return function(a) return made(a) end" : "return " + call
  }
}

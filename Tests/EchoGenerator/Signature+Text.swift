// SPDX-License-Identifier: MIT

extension Signature {
  /// The parameters that do not come back: the function notes what it got.
  private var unreturned: [Int] {
    parameters.indices.filter { !results.contains($0) && $0 != failure && $0 != mark }
  }

  private func fingerprints(_ indices: [Int]) -> String {
    "[" + indices.map { "Fingerprint.of(p\($0))" }.joined(separator: ", ") + "]"
  }

  /// The statements of the Swift function.
  var body: String {
    var lines: [String] = []
    if !unreturned.isEmpty { lines.append("Heard.note(\(fingerprints(unreturned)))") }
    if let failure { lines.append("if let p\(failure) { throw p\(failure) }") }
    if !results.isEmpty { lines.append("let result = \(resultExpression)") }
    if let mark { lines.append("mark = p\(mark)") }
    lines += inouts.map { "p\($0.target) = p\($0.source)" }
    if !results.isEmpty { lines.append("return result") }
    return lines.joined(separator: "; ")
  }

  /// The Lua function that does the same; a method's first parameter is `self`.
  func echo(isMethod: Bool) -> String {
    let names = (isMethod ? ["self"] : []) + parameters.indices.map { "p\($0)" }
    var text = "function(\(names.joined(separator: ", "))) "
    if let failure { text += "if p\(failure) ~= nil then throw(p\(failure)) end " }
    if let mark { text += "self.mark = p\(mark) " }
    return text
      + "return \((luaResults + inouts.map { "p\($0.source)" }).joined(separator: ", ")) end"
  }

  /// A tuple is returned as several values.
  private var luaResults: [String] {
    if results.count == 1, let elements = parameters[results[0]].type.elements {
      return elements.indices.map { "p\(results[0])[\($0 + 1)]" }
    }
    return results.map { "p\($0)" }
  }

  /// Statements that draw the arguments, and say what is expected as `expected`.
  func preparation(_ table: inout DrawTable) -> [String] {
    var lines = parameters.enumerated().map {
      "let p\($0) = \(table.function(for: $1.type))(&dice)"
    }
    lines += inouts.map { "var v\($0.target) = p\($0.target)" }
    // With the labels that the result has.
    var expected = [
      results.isEmpty ? "\"()\"" : "Fingerprint.of(\(resultExpression) as \(result))"
    ]
    expected += inouts.map { "Fingerprint.of(p\($0.source))" }
    if let mark { expected.append("Fingerprint.of(p\(mark))") }
    lines.append(
      "\(failure == nil ? "let" : "var") expected = [\(expected.joined(separator: ", "))]")
    if let failure {
      lines.append(
        "if let p\(failure) { expected = [\"threw \" + Fingerprint.of(p\(failure))] }")
    }
    return lines
  }

  /// Statements that make the call, and compare what it did.
  func trial(_ call: String, mark: String?) -> [String] {
    let isThrowing = failure != nil
    let made = "\(isThrowing ? "try " : "")\(call)\(arguments)"
    var lines = [results.isEmpty ? made : "let result = \(made)"]
    var actual = [results.isEmpty ? "\"()\"" : "Fingerprint.of(result)"]
    actual += inouts.map { "Fingerprint.of(v\($0.target))" }
    if let mark { actual.append("Fingerprint.of(\(mark))") }
    let heard =
      unreturned.isEmpty ? "" : " ?? Heard.difference(\(fingerprints(unreturned)))"
    lines.append("return difference(expected, [\(actual.joined(separator: ", "))])" + heard)
    guard isThrowing else { return lines }
    let unchanged =
      inouts.map {
        " ?? difference([Fingerprint.of(p\($0.target))], [Fingerprint.of(v\($0.target))])"
      }.joined() + heard
    return ["do {"] + lines + ["} catch {"] + [
      "return difference(expected, [\"threw \" + Fingerprint.of(error)])\(unchanged)", "}",
    ]
  }
}

// SPDX-License-Identifier: MIT

/// Two functions of one signature, so that an override of either can call the other.
struct FunctionPair {
  let index: Int
  let home: Home
  let signature: Signature

  private var names: (String, String) { ("alpha\(index)", "beta\(index)") }

  /// Both declarations.
  var declarations: String {
    [names.0, names.1].map { name in
      "  \(home.kind == .module ? "" : "public ")\(home.modifiers)func \(name)"
        + "\(signature.declaration) { \(signature.body) }\n"
    }.joined()
  }

  func cases(_ table: inout DrawTable) -> [GeneratedCase] {
    [made(names.0, other: names.1, &table), made(names.1, other: names.0, &table)]
  }

  private func made(_ name: String, other: String, _ table: inout DrawTable) -> GeneratedCase {
    var check = signature.preparation(&table)
    if let draw = home.draw, !home.isStatic {
      check.insert("\(home.isMutating ? "var" : "let") home = \(draw)(&dice)", at: 0)
    }
    check += signature.trial(
      home.receiver + name, mark: home.isMutating ? "home.mark" : nil)
    let target =
      "H\(home.isStatic ? ".static" : "")[\"\(home.word)\(signature.selector(name))\"] = "
    return GeneratedCase(
      name: name,
      signature: "\(home.name) \(home.modifiers)func \(name)\(signature.declaration)",
      owner: home.owner, echo: target + signature.echo(isMethod: home.kind != .module),
      original: target + forward("ORIG" + signature.selector(name)),
      other: target + forward(signature.selector(other)),
      check: check)
  }

  /// A Lua function that calls the function of the same home.
  private func forward(_ selector: String) -> String {
    home.kind == .module
      ? "function(...) return H[\"\(selector)\"](...) end"
      : "function(self, ...) return self[\"\(selector)\"](self, ...) end"
  }
}

// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// Types as scripts write them: `Int`, `Bank.Account`, `[String: Int]`, `Int?`, `AnyIterator<Int>`.
package struct WrittenType {
  package let resolver: NameResolver

  package init(resolver: NameResolver) {
    self.resolver = resolver
  }

  package func type(_ text: String) throws(NameError) -> any Any.Type {
    let node = try node(text[...])
    guard let type = resolver.program.runtimeType(node) else {
      throw NameError("`\(text)` is not a type in this process")
    }
    return type
  }

  private func node(_ text: Substring) throws(NameError) -> TypeNode {
    let text = Self.trimmed(text)
    if text.last == "?" { return try generic("Swift.Optional", [text.dropLast()]) }
    if text.first == "[", text.last == "]" {
      let parts = TypeText.split(text.dropFirst().dropLast(), at: ":")
      return try generic(parts.count == 2 ? "Swift.Dictionary" : "Swift.Array", parts)
    }
    if text.last == ">", let open = text.firstIndex(of: "<") {
      let arguments = TypeText.split(text[text.index(after: open)...].dropLast(), at: ",")
      return try generic(String(text[..<open]), arguments)
    }
    return try resolver.type(named: String(text)).node
  }

  private func generic(_ name: String, _ arguments: [Substring]) throws(NameError) -> TypeNode {
    let nominal = try resolver.type(named: name).nominal
    var nodes: [TypeNode] = []
    for argument in arguments { nodes.append(try node(argument)) }
    return .nominal(nominal.bound(to: nodes))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

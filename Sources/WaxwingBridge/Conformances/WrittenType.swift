// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection

/// Types as scripts write them: `Int`, `Bank.Account`, `[String: Int]`, `Int?`, `AnyIterator<Int>`, `(Int, String)`,
/// `Void`. A text is bounded in length and depth, since any string may come here: reading it costs a stack frame a
/// level, and so does the runtime's work on the type.
package struct WrittenType {
  /// The greatest number of levels that a type may have, as deep as values may nest.
  private static let mostLevels = 32
  /// The greatest length of a type in bytes of UTF-8.
  private static let mostBytes = 4096

  let resolver: NameResolver

  package init(resolver: NameResolver) {
    self.resolver = resolver
  }

  package func type(_ text: String) throws(NameError) -> any Any.Type {
    guard text.utf8.count <= Self.mostBytes else {
      throw NameError(
        "a type has at most \(Self.mostBytes) bytes, and this text has \(text.utf8.count)")
    }
    let node = try node(text[...], below: 0)
    guard let type = resolver.program.runtimeType(node) else {
      throw NameError("`\(text)` is not a type in this process")
    }
    return type
  }

  private func node(_ text: Substring, below level: Int) throws(NameError) -> TypeNode {
    guard level <= Self.mostLevels else {
      throw NameError("a type nests at most \(Self.mostLevels) levels deep")
    }
    let text = Self.trimmed(text)
    if text.last == "?" { return try generic("Swift.Optional", [text.dropLast()], below: level) }
    if text.first == "[", text.last == "]" {
      let parts = TypeText.split(text.dropFirst().dropLast(), at: ":")
      return try generic(parts.count == 2 ? "Swift.Dictionary" : "Swift.Array", parts, below: level)
    }
    if text == "Void" || text == "()" { return .void }
    if text.first == "(", text.last == ")" {
      return try tuple(text.dropFirst().dropLast(), below: level)
    }
    if text.last == ">", let open = text.firstIndex(of: "<") {
      let arguments = TypeText.split(text[text.index(after: open)...].dropLast(), at: ",")
      return try generic(String(text[..<open]), arguments, below: level)
    }
    return try resolver.type(named: String(text)).node
  }

  private func tuple(_ text: Substring, below level: Int) throws(NameError) -> TypeNode {
    var elements: [TupleElement] = []
    for element in TypeText.split(text, at: ",") {
      let parts = TypeText.split(element, at: ":")
      let label = parts.count == 2 ? String(Self.trimmed(parts[0])) : nil
      elements.append(
        TupleElement(label: label, type: try node(parts[parts.count - 1], below: level + 1)))
    }
    return elements.count == 1 ? elements[0].type : .tuple(elements)
  }

  private func generic(
    _ name: String, _ arguments: [Substring], below level: Int
  ) throws(NameError) -> TypeNode {
    let nominal = try resolver.type(named: name).nominal
    var nodes: [TypeNode] = []
    for argument in arguments { nodes.append(try node(argument, below: level + 1)) }
    return .nominal(nominal.bound(to: nodes))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

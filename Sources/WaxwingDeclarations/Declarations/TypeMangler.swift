// SPDX-License-Identifier: MIT

/// Spells a type as the runtime reads it, without substitutions: longer than the compiler's
/// spelling, but each part stands for itself. Or, for names of symbols, as the compiler does: with letters for names and
/// words that come again.
package struct TypeMangler {
  /// Where to find a type that its name does not tell: nil to spell the name.
  let descriptor: (NominalType) -> UInt?
  package var output = MangledText()
  /// The abbreviations for parts that repeat; nil if all is spelled out.
  var abbreviations: Abbreviations?

  init(descriptor: @escaping (NominalType) -> UInt? = { _ in nil }) {
    self.descriptor = descriptor
  }

  /// - Parameter inSymbols: As the compiler spells names at the beginning of symbols.
  package init(inSymbols: Bool) {
    self.init()
    if inSymbols { abbreviations = Abbreviations() }
  }

  mutating func append(_ type: TypeNode) {
    switch type {
    case .nominal(let type): append(type)
    case .tuple(let elements):
      appendList(elements) { $0.append($1) }
      output += "t"
    case .function(let type): append(type)
    case .metatype(let type, let representation):
      append(type)
      output += representation.map { "XM" + Self.letter(of: $0) } ?? "m"
    case .existentialMetatype(let type, let representation):
      append(type)
      output += representation.map { "Xm" + Self.letter(of: $0) } ?? "Xp"
    case .composition(let composition): append(composition)
    case .constrainedExistential(let base, let requirements):
      append(base)
      appendList(requirements) { $0.append($1) }
      output += "XP"
    case .constrainedExistentialSelf: output += "qs"
    case .genericParameter(let depth, let index):
      output += Self.parameter(depth: depth, index: index)
    case .dependentMember(let base, let name, let declaring):
      append(base)
      append(identifier: name)
      if let declaring { append(declaring) }
      output += "Qx"
    case .modified(let modifier, let type):
      append(type)
      output += Self.code(of: modifier)
    case .dynamicSelf(let type): append(type, suffix: "XD")
    case .opaqueResult(let index): output += index == 0 ? "Qr" : "QR" + Self.index(index - 1)
    case .opaque(let origin, let index, let arguments):
      append(origin)
      output += "QO"
      append(argumentLists: arguments)
      output += "Qo" + Self.index(index)
    case .builtin(let type): append(type)
    case .pack(let types):
      appendList(types) { $0.append($1) }
      output += "QP"
    case .packExpansion(let pattern, let count):
      append(pattern)
      append(count, suffix: "Qp")
    case .packElement(let pack, let level): append(pack, suffix: "Qe" + Self.index(level))
    case .integer(let value): output += "$" + (value < 0 ? "n" : "") + Self.index(abs(value))
    case .generic(let signature, let type):
      append(type)
      append(signature)
      output += "u"
    }
  }

  mutating func append(_ type: TypeNode, suffix: String) {
    append(type)
    output += suffix
  }

  /// A list whose first element is marked; an empty one is `y`.
  mutating func appendList<Element>(
    _ elements: [Element], _ body: (inout TypeMangler, Element) -> Void
  ) {
    guard !elements.isEmpty else {
      output += "y"
      return
    }
    for (index, element) in elements.enumerated() {
      body(&self, element)
      if index == 0 { output += "_" }
    }
  }

  mutating func append(_ element: TupleElement) {
    append(element.type)
    if let label = element.label { append(identifier: label) }
    if element.isVariadic { output += "d" }
  }

  /// 0 is `_`, 1 is `0_` and so on.
  static func index(_ value: Int) -> String { value == 0 ? "_" : "\(value - 1)_" }

  static func parameter(depth: Int, index: Int) -> String {
    if depth > 0 { return "qd" + self.index(depth - 1) + self.index(index) }
    return index == 0 ? "x" : "q" + self.index(index - 1)
  }
}

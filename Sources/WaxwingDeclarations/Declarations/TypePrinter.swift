// SPDX-License-Identifier: MIT

/// Writes types and declarations as text.
struct TypePrinter {
  /// How much of the text is spelled out.
  enum Style: Hashable {
    /// The style of the official demangler: every name with its module.
    case qualified
    /// The style of the runtime's `swift_demangle`: `Swift.Optional<T>` for `T?`.
    case unsugared
    /// The style of source code: without the standard library's module and the given one.
    case short(module: String?)
  }

  let style: Style
  var text = ""

  init(style: Style) {
    self.style = style
  }

  var isQualified: Bool {
    switch style {
    case .qualified, .unsugared: true
    case .short: false
    }
  }

  static func text(of type: TypeNode, style: Style) -> String {
    var printer = TypePrinter(style: style)
    printer.write(type)
    return printer.text
  }

  mutating func write(_ type: TypeNode) {
    switch type {
    case .nominal(let type): write(type)
    case .tuple(let elements): writeParameters(elements, labels: [])
    case .function(let type): write(type, labels: [])
    case .metatype(let type, let representation): writeMetatype(type, representation)
    case .existentialMetatype(let type, let representation):
      writeExistentialMetatype(type, representation)
    case .composition(let composition): write(composition)
    case .constrainedExistential(let base, let requirements):
      if !isQualified, writeConstrained(base, requirements) { return }
      if isQualified { text += "any " }
      write(base)
      text += "<"
      writeList(requirements) { $0.write($1) }
      text += ">"
    case .constrainedExistentialSelf, .dynamicSelf: text += "Self"
    case .genericParameter(let depth, let index):
      text += Self.parameterName(depth: depth, index: index)
    case .dependentMember(let base, let name, let declaring):
      writeMember(of: base, name, declaring: declaring)
    case .modified(let modifier, let type):
      text += (isQualified ? modifier.rawValue : modifier.keyword) + " "
      write(type)
    case .opaqueResult: text += "some"
    case .opaque(let origin, let index, _):
      text += "<<opaque return type of "
      _ = write(origin, isPrefix: false)
      text += ">>.\(index)"
    case .builtin(let type): write(type)
    case .pack(let types):
      text += "Pack{"
      writeList(types) { $0.write($1) }
      text += "}"
    case .packExpansion(let pattern, _):
      text += "repeat "
      write(pattern)
    case .packElement(let pack, let level):
      text += isQualified ? "/* level: \(level) */ each " : "each "
      write(pack)
    case .integer(let value): text += "\(value)"
    case .generic(let signature, let type):
      write(signature)
      if type.function == nil { text += " " }
      write(type)
    }
  }

  mutating func writeList<Element>(
    _ elements: [Element], separator: String = ", ",
    _ body: (inout TypePrinter, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { text += separator }
      body(&self, element)
    }
  }

  /// `A`, `B`…; parameters of inner contexts carry their depth: `A1`.
  static func parameterName(depth: Int, index: Int) -> String {
    var name = ""
    var rest = index
    repeat {
      name.unicodeScalars.append(Unicode.Scalar(UInt8(0x41 + rest % 26)))
      rest /= 26
    } while rest > 0
    return depth == 0 ? name : name + "\(depth)"
  }
}

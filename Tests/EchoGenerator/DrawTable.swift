// SPDX-License-Identifier: MIT

/// The functions that draw values, one for each type.
struct DrawTable {
  private var names: [EchoType: String] = [:]
  private(set) var text = ""

  /// The name of the function that draws values of the type.
  mutating func function(for type: EchoType) -> String {
    if let name = names[type] { return name }
    let expression = expression(for: type)
    let name = "draw\(names.count)"
    names[type] = name
    text += "func \(name)(_ dice: inout Dice) -> \(type.spelling) { \(expression) }\n"
    return name
  }

  private mutating func expression(for type: EchoType) -> String {
    switch type {
    case .plain(_, let draw, _): draw
    case .optional(let wrapped): "dice.optional(\(function(for: wrapped)))"
    case .array(let element): "dice.array(\(function(for: element)))"
    case .set(let element): "dice.set(\(function(for: element)))"
    case .dictionary(let key, let value):
      "dice.dictionary(\(function(for: key)), \(function(for: value)))"
    case .generic(let generic, let first, let second):
      "dice.\(generic)(\(function(for: first)), \(function(for: second)))"
    case .tuple(let elements): arguments(elements.map { ($0.label, $0.type) })
    }
  }

  /// A parenthesised list of drawn values.
  mutating func arguments(_ list: [(label: String?, type: EchoType)]) -> String {
    var texts: [String] = []
    for (label, type) in list {
      texts.append((label.map { "\($0): " } ?? "") + "\(function(for: type))(&dice)")
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }
}

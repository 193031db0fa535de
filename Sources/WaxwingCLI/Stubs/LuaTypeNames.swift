// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingDeclarations

/// The names of Swift types in definitions for lua-language-server. It remembers types that are not
/// the program's: they need a definition, too.
final class LuaTypeNames {
  /// The classes of the program's types.
  private let classes: [NominalType: String]
  /// For enums whose cases a string may stand for, the name of the alias of these strings in the
  /// class of the type.
  private let aliases: [NominalType: String]
  /// Classes of other types that were mentioned.
  private(set) var others: Set<String> = []

  /// - Parameter types: Each has a class.
  init(_ types: [NominalType], aliases: [NominalType: String]) {
    self.aliases = aliases
    var taken: Set<String> = []
    var classes: [NominalType: String] = [:]
    for type in types {
      let wanted = Self.name(type)
      var name = wanted
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(wanted)_\(number)"
        number += 1
      }
      classes[type] = name
    }
    self.classes = classes
  }

  /// The class of a type's values.
  func className(_ type: NominalType) -> String {
    if let name = classes[type.unbound] { return name }
    let name = Self.name(type)
    others.insert(name)
    return name
  }

  /// The class of the value that `class` returns for a type.
  func typeClassName(_ type: NominalType) -> String {
    classes[type.unbound].map { $0 + ".Type" } ?? "waxwing.OtherType"
  }

  /// The names that `class` takes in words, without what no class may have: `bankd.Account`.
  private static func name(_ type: NominalType) -> String {
    let parts = type.unbound.qualifiedName.split(separator: ".")
    return parts.map { LuaName.adapted($0) ?? "_" }.joined(separator: ".")
  }

  // MARK: Types

  /// A type of a value that Lua gets; as what Lua gives, enums may be strings too.
  func text(_ type: TypeNode, isGiven: Bool = false) -> String {
    if let payload = type.optionalPayload { return optional(payload, isGiven) }
    switch type {
    case .nominal(let nominal): return self.nominal(nominal, isGiven)
    case .tuple(let elements): return tuple(elements)
    case .function(let function):
      guard isGiven, function.isAutoclosure else { return self.function(function) }
      let value = text(function.result, isGiven: true)
      return value == "any" ? value : "(\(self.function(function)))|\(value)"
    case .metatype(let instance, _):
      return instance.nominal.map(typeClassName) ?? "waxwing.OtherType"
    case .composition(let parts): return composition(parts)
    case .dynamicSelf(let type), .modified(_, let type): return text(type, isGiven: isGiven)
    default: return "any"
    }
  }

  /// The results of a function, each of them as one value.
  func results(_ type: TypeNode) -> [String] {
    if case .tuple(let elements) = type { return elements.map { text($0.type) } }
    return type.nominal?.qualifiedName == "Swift.Never" ? [] : [text(type)]
  }

  /// The type, or nil.
  func optionalText(_ type: TypeNode) -> String { optional(type, false) }

  private func optional(_ payload: TypeNode, _ isGiven: Bool) -> String {
    let text = text(payload, isGiven: isGiven)
    // An optional that holds nil is a proxy.
    return text == "any" || text.hasSuffix("?") ? text : Self.grouped(text) + "?"
  }

  /// A type for use in a list, where Lua would take a comma after a function's result for more
  /// results.
  static func listed(_ text: String) -> String { text.hasPrefix("fun(") ? "(\(text))" : text }

  /// The text in parentheses if a mark after it would otherwise belong to a part only.
  private static func grouped(_ text: String) -> String {
    text.contains("|") || text.hasPrefix("fun(") || text.hasSuffix("?") ? "(\(text))" : text
  }

  private static let scalars: [String: String] = {
    let integers = ["Int", "UInt"].flatMap { word in
      ["", "8", "16", "32", "64", "128"].map { ("Swift." + word + $0, "integer") }
    }
    let others = [
      "Swift.Double": "number", "Swift.Float": "number", "Swift.Float16": "number",
      "Foundation.CGFloat": "number", "CoreFoundation.CGFloat": "number", "Swift.Bool": "boolean",
      "Swift.String": "string", "Swift.Substring": "string", "Swift.Character": "string",
      "Foundation.Data": "string", "FoundationEssentials.Data": "string",
    ]
    return others.merging(integers) { first, _ in first }
  }()

  private static let lists: Set = [
    "Swift.Array", "Swift.ArraySlice", "Swift.ContiguousArray", "Swift.Set",
  ]
  private static let texts: Set = ["Swift.Array", "Swift.ArraySlice"]
  private static let keys: Set = ["string", "integer", "number", "boolean"]

  private func nominal(_ type: NominalType, _ isGiven: Bool) -> String {
    let name = type.qualifiedName
    if let scalar = Self.scalars[name] { return scalar }
    if Self.lists.contains(name), type.arguments.count == 1 {
      if Self.texts.contains(name), type.arguments[0].nominal?.qualifiedName == "Swift.UInt8" {
        return "string"
      }
      return Self.grouped(text(type.arguments[0], isGiven: isGiven)) + "[]"
    }
    if name == "Swift.Dictionary", type.arguments.count == 2 {
      let key = text(type.arguments[0])
      guard Self.keys.contains(key) else { return "waxwing.LiveCollection" }
      return "table<\(key), \(Self.listed(text(type.arguments[1], isGiven: isGiven)))>"
    }
    if type.kind == .protocol { return "any" }
    let own = className(type)
    guard isGiven, let alias = aliases[type.unbound] else { return own }
    return "\(own)|\(own).Type.\(alias)"
  }

  private func tuple(_ elements: [TupleElement]) -> String {
    if elements.isEmpty { return "nil" }
    let fields = elements.enumerated().flatMap { index, element -> [String] in
      let type = Self.listed(text(element.type))
      let label = element.label.flatMap { LuaName.isValid($0) ? "\($0): \(type)" : nil }
      return ["[\(index + 1)]: \(type)"] + [label].compactMap(\.self)
    }
    return "{ \(fields.joined(separator: ", ")) }"
  }

  private func composition(_ parts: ProtocolComposition) -> String {
    let names = parts.protocols.compactMap { $0.nominal?.qualifiedName }
    return names == ["Swift.Error"] && parts.partCount == 1 ? "waxwing.Error" : "any"
  }

  private func function(_ type: FunctionType) -> String {
    let parameters = type.parameters.enumerated().map { index, element in
      let text = Self.listed(text(element.type))
      let name = element.label.flatMap { LuaName.adapted($0) } ?? "value\(index + 1)"
      return "\(name): \(element.isVariadic ? Self.grouped(text) + "[]" : text)"
    }
    return Self.function(parameters, results(type.result))
  }

  /// A function type such as `fun(a: integer): string`.
  static func function(_ parameters: [String], _ results: [String]) -> String {
    let list = "fun(\(parameters.joined(separator: ", ")))"
    return results.isEmpty
      ? list : list + ": " + results.map(listed).joined(separator: ", ")
  }
}

// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingControl

/// A class of definitions and the table that stands for it: fields and functions.
struct DefinitionTable {
  /// The members that a table contains.
  enum Place: CaseIterable {
    case value, type, getter, setter, willSet, didSet, `static`
    case staticGetter, staticSetter, staticWillSet, staticDidSet
  }

  var comment: [String] = []
  /// The types of fields.
  var fields: [String: String] = [:]
  var fieldComments: [String: String] = [:]
  private var indices: [String: String] = [:]
  private var functions: [LuaDefinition] = []
  private var places: [String: Int] = [:]
  private var calls: [LuaDefinition.Signature] = []
  private var operators: [String] = []

  /// Adds a signature to the function of this name.
  mutating func add(
    _ name: String, _ signature: LuaDefinition.Signature, takesSelf: Bool, _ comment: [String]
  ) {
    if let place = places[name] {
      if !functions[place].signatures.contains(signature) {
        functions[place].signatures.append(signature)
      }
      for line in comment where !functions[place].comment.contains(line) {
        functions[place].comment.append(line)
      }
      return
    }
    places[name] = functions.count
    functions.append(
      LuaDefinition(name: name, takesSelf: takesSelf, signatures: [signature], comment: comment))
  }

  /// Adds a way to call the table itself.
  mutating func addCall(_ signature: LuaDefinition.Signature) {
    if !calls.contains(signature) { calls.append(signature) }
  }

  /// Adds what an operator of Lua's gives.
  /// - Parameter operand: The type of the right operand; nil: there is none.
  mutating func addOperator(_ word: String, _ operand: String?, _ result: String) {
    let line = "---@operator \(word)\(operand.map { "(\($0))" } ?? ""): \(result)"
    if !operators.contains(line) { operators.append(line) }
  }

  /// Adds the type of the value at an index.
  mutating func index(_ key: String, _ value: String) { indices[key] = indices[key] ?? value }

  /// - Parameter parents: The classes above this one.
  func lines(local: String, class name: String, parents: [String]) -> [String] {
    var lines = LuaDefinition.comment(comment)
    lines.append(
      "---@class \(name)" + (parents.isEmpty ? "" : ": " + parents.joined(separator: ", ")))
    for field in fields.keys.sorted() where places[field] == nil {
      let key = LuaName.isValid(field) ? field : "[\(LuaName.quoted(field))]"
      let note = (fieldComments[field]?.split(whereSeparator: \.isNewline).first).map { " # \($0)" }
      lines.append("---@field \(key) \(fields[field] ?? "any")" + (note ?? ""))
    }
    lines += indices.keys.sorted().map { "---@field [\($0)] \(indices[$0] ?? "any")" }
    lines += operators
    lines += calls.map { "---@overload " + LuaDefinition.text($0, nil) }
    lines.append("local \(local) = {}")
    for function in functions { lines += [""] + function.lines(in: local, owner: name) }
    return lines
  }

  /// Adds the fields by which a type's other tables are reached.
  mutating func addPlaces(
    _ places: [Place], _ values: String, _ word: KeyPath<Place, String?>
  ) {
    for place in places {
      guard let word = place[keyPath: word] else { continue }
      fields[word] = place.className(values)
    }
  }
}

extension DefinitionTable.Place {
  init(_ kind: PointEntry.Kind, isStatic: Bool) {
    self =
      switch kind {
      case .getter: isStatic ? .staticGetter : .getter
      case .setter: isStatic ? .staticSetter : .setter
      case .willSet: isStatic ? .staticWillSet : .willSet
      case .didSet: isStatic ? .staticDidSet : .didSet
      case .function, .other, .closure: isStatic ? .static : .type
      }
  }

  /// The name of the table's local variable in the file.
  var local: String {
    switch self {
    case .value: "Value"
    case .type: "Type"
    case .getter: "Get"
    case .setter: "Set"
    case .willSet: "WillSet"
    case .didSet: "DidSet"
    case .static: "Static"
    case .staticGetter: "StaticGet"
    case .staticSetter: "StaticSet"
    case .staticWillSet: "StaticWillSet"
    case .staticDidSet: "StaticDidSet"
    }
  }

  /// The field of the type's own table.
  var word: String? {
    switch self {
    case .getter: "get"
    case .setter: "set"
    case .willSet: "willSet"
    case .didSet: "didSet"
    case .static: "static"
    default: nil
    }
  }

  /// The field of `static`.
  var staticWord: String? {
    switch self {
    case .staticGetter: "get"
    case .staticSetter: "set"
    case .staticWillSet: "willSet"
    case .staticDidSet: "didSet"
    default: nil
    }
  }

  /// - Parameter values: The class of the type's values. No Swift type is called `Type`, so that no
  ///   class of another type has one of these names.
  func className(_ values: String) -> String {
    switch self {
    case .value: values
    case .type: values + ".Type"
    default:
      if let word { "\(values).Type.\(word)" } else { "\(values).Type.static.\(staticWord ?? "")" }
    }
  }
}

// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// The form in Lua of a Swift value that becomes a plain value there, without members of Swift.
enum PlainValue {
  case number, boolean, string, list, dictionary
  /// A string if the list has bytes, otherwise a table.
  case listOfUnknown

  private static let numbers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double", "Float",
    "Float16",
  ]

  /// The plain form of a type; nil if the value keeps its members, or if that cannot be told.
  init?(_ type: TypeNode) {
    guard let nominal = type.nominal, case .module(let module) = nominal.context else { return nil }
    let name = nominal.name.text
    if name == "Data", module.hasPrefix("Foundation") {
      self = .string
      return
    }
    guard module == "Swift" else { return nil }
    switch name {
    case _ where Self.numbers.contains(name): self = .number
    case "Bool": self = .boolean
    case "String", "Substring", "Character": self = .string
    case "Set": self = .list
    case "Array", "ArraySlice", "ContiguousArray":
      let element = nominal.arguments.first
      guard let element, element.nominal != nil else {
        self = .listOfUnknown
        return
      }
      self = Self.isByte(element) && name != "ContiguousArray" ? .string : .list
    case "Dictionary":
      // With other keys it is a live collection.
      guard let key = nominal.arguments.first.flatMap({ Self($0) }), !key.isTable else {
        return nil
      }
      self = .dictionary
    default: return nil
    }
  }

  private static func isByte(_ type: TypeNode) -> Bool {
    type.nominal.map { $0.context == .module("Swift") && $0.name.text == "UInt8" } ?? false
  }

  var isTable: Bool {
    switch self {
    case .number, .boolean, .string: false
    case .list, .listOfUnknown, .dictionary: true
    }
  }

  var words: String {
    switch self {
    case .number: "a number"
    case .boolean: "a boolean"
    case .string: "a string"
    case .list, .listOfUnknown, .dictionary: "a table"
    }
  }

  /// Whether nothing is wrong with this use.
  func has(_ name: String, isCalled: Bool) -> Bool {
    switch self {
    case .number, .boolean: false
    case .string, .listOfUnknown: PreludeNames.fields["string"]?.contains(name) == true
    case .list: false
    // Everything may be a key.
    case .dictionary: !isCalled
    }
  }

  /// Whether Lua raises an error, and does not give nil.
  func fails(isCalled: Bool) -> Bool {
    switch self {
    case .number, .boolean: true
    default: isCalled
    }
  }
}

extension NameCheck {
  /// A member of a value that Lua has as a number, a string or a table: `title.isEmpty` is nil, whatever the title is.
  ///
  /// - Returns: Whether the value is a plain one.
  mutating func checkPlain(_ use: PatchOutline.MemberUse, _ type: TypeNode) -> Bool {
    guard let plain = PlainValue(type), let nominal = type.nominal else { return false }
    let isCalled = use.arguments != nil
    guard use.assigned == nil, !plain.has(use.name, isCalled: isCalled),
      !defined.contains(use.name),
      !setMembers.contains(use.name), !addsToStrings(use.name, plain)
    else { return true }
    let name = nominal.name.text
    let given = use.arguments.map { $0.isEmpty ? "value" : "value, …" } ?? "value"
    let isCount = use.name == "count" && !isCalled && plain.isTable
    let result = plain.fails(isCalled: isCalled) ? "" : ": this is nil"
    add(
      .member, use.place,
      "\(Self.article(name)) `\(name)` is \(plain.words) in Lua, which has no `\(use.name)`\(result)",
      remedy: isCount ? "write `#value`" : "write `\(name).\(use.name)(\(given))`",
      as: plain.fails(isCalled: isCalled) ? .error : .warning)
    return true
  }

  private func addsToStrings(_ name: String, _ plain: PlainValue) -> Bool {
    switch plain {
    case .string, .listOfUnknown:
      patch.files.contains { $0.outline.stringFunctions.contains(name) }
    default: false
    }
  }
}

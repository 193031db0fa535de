// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// A table that a script of the engine's own hands over, read field by field, each by its name and its type.
///
/// It is valid while the function runs that it was given to. Text that is not UTF-8 is repaired.
package struct ScriptTable {
  private let fields: [String: LuaReader]

  /// Reads one value, and moves past it.
  /// - Throws: `ScriptTableError` if it is no table whose keys are strings.
  init(_ reader: inout LuaReader) throws(ScriptTableError) {
    let head = reader.peeked
    let isEmpty = head.tag == WAX_LUA_VALUE_ARRAY.rawValue && head.count == 0
    guard isEmpty || head.tag == WAX_LUA_VALUE_TABLE.rawValue else {
      throw ScriptTableError(head, not: "a table with named fields")
    }
    _ = reader.read()
    var fields = [String: LuaReader](minimumCapacity: Int(head.count))
    for _ in 0..<head.count {
      let key = reader.read()
      guard let name = reader.displayString(key) else {
        throw ScriptTableError(key, not: "a field's name")
      }
      fields[name] = reader
      reader.skip()
    }
    self.fields = fields
  }

  /// A field that has to be an integer.
  package func integer(_ name: String) throws(ScriptTableError) -> Int {
    let value = value(name).peeked
    guard value.tag == WAX_LUA_VALUE_INTEGER.rawValue else {
      throw ScriptTableError(value, not: "an integer").inside(name)
    }
    return Int(value.integer)
  }

  /// A field that has to be a number of any kind.
  package func number(_ name: String) throws(ScriptTableError) -> Double {
    let value = value(name).peeked
    if value.tag == WAX_LUA_VALUE_INTEGER.rawValue { return Double(value.integer) }
    guard value.tag == WAX_LUA_VALUE_NUMBER.rawValue else {
      throw ScriptTableError(value, not: "a number").inside(name)
    }
    return value.number
  }

  /// A field that has to be true or false.
  package func boolean(_ name: String) throws(ScriptTableError) -> Bool {
    let value = value(name).peeked
    guard value.tag == WAX_LUA_VALUE_BOOLEAN.rawValue else {
      throw ScriptTableError(value, not: "true or false").inside(name)
    }
    return value.isTrue
  }

  /// A field that has to be a string.
  package func text(_ name: String) throws(ScriptTableError) -> String {
    guard let text = try optionalText(name) else {
      throw ScriptTableError(wax_lua_value(), not: "a string").inside(name)
    }
    return text
  }

  /// A field that has to be a string, if there is one.
  package func optionalText(_ name: String) throws(ScriptTableError) -> String? {
    let reader = value(name)
    if reader.peeked.isNil { return nil }
    guard let text = reader.displayString(reader.peeked) else {
      throw ScriptTableError(reader.peeked, not: "a string").inside(name)
    }
    return text
  }

  /// A field that has to be one of the words of an enum.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(ScriptTableError) -> Word {
    let text = try text(name)
    guard let word = Word(rawValue: text) else {
      let all = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ScriptTableError("is `\(text)`, not one of \(all)").inside(name)
    }
    return word
  }

  /// A field that has to be a sequence of tables.
  /// - Parameter read: Makes something of each.
  package func tables<Element>(
    _ name: String, _ read: (ScriptTable) throws -> Element
  ) throws -> [Element] {
    try sequence(name) { try read(ScriptTable(&$0)) }
  }

  /// A field that has to be a sequence of strings.
  package func texts(_ name: String) throws -> [String] {
    try sequence(name) { reader in
      let value = reader.read()
      guard let text = reader.displayString(value) else {
        throw ScriptTableError(value, not: "a string")
      }
      return text
    }
  }

  /// A field that has to be a sequence of integers.
  package func integers(_ name: String) throws -> [Int] {
    try sequence(name) { reader in
      let value = reader.read()
      guard value.tag == WAX_LUA_VALUE_INTEGER.rawValue else {
        throw ScriptTableError(value, not: "an integer")
      }
      return Int(value.integer)
    }
  }

  /// Whether there is a field of this name.
  package func has(_ name: String) -> Bool { fields[name] != nil }

  private func value(_ name: String) -> LuaReader { fields[name] ?? .empty }

  private func sequence<Element>(
    _ name: String, _ read: (inout LuaReader) throws -> Element
  ) throws -> [Element] {
    var reader = value(name)
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_ARRAY.rawValue else {
      throw ScriptTableError(head, not: "a sequence").inside(name)
    }
    var elements: [Element] = []
    elements.reserveCapacity(Int(head.count))
    for index in 0..<Int(head.count) {
      do { elements.append(try read(&reader)) } catch let error as ScriptTableError {
        throw error.inside("\(name)[\(index + 1)]")
      }
    }
    return elements
  }
}

/// The error for data of one of the engine's own scripts that the engine cannot read, which is a
/// mistake of the engine.
package struct ScriptTableError: Error, Equatable, CustomStringConvertible {
  private var place: [String] = []
  private let problem: String

  /// - Parameter problem: The predicate of a sentence whose subject is the field.
  package init(_ problem: String) { self.problem = problem }

  init(_ value: wax_lua_value, not wanted: String) {
    self.init(
      value.isNil ? "is missing, which is \(wanted)" : "is \(Self.kind(of: value)), not \(wanted)")
  }

  private static func kind(of value: wax_lua_value) -> String {
    let name = value.kindName
    return ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name
  }

  /// The error as seen from the table that has the field.
  package func inside(_ name: String) -> ScriptTableError {
    var error = self
    error.place.insert(name, at: 0)
    return error
  }

  package var description: String {
    (place.isEmpty ? "it" : "`\(place.joined(separator: "."))`") + " \(problem)"
  }
}

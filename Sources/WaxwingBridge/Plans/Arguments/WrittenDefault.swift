// SPDX-License-Identifier: MIT

internal import WaxwingValues

/// A default value as the source has it, `[:]`, `.ok` or `.init(major: 1, minor: 1)`, and the Lua code that
/// makes it.
///
/// Literals, closures that do nothing, members of types, and initializers and static functions that take
/// literals can be made. Lua code
/// makes them because it finds members by name as a patch does.
struct WrittenDefault: Hashable, Sendable {
  /// The type that the value is a member of.
  enum Base: Hashable, Sendable {
    /// The value is a literal.
    case none
    /// The type of the parameter; of a parameter for a type the type that is meant.
    case parameter
    /// The type of this name, as seen from the function.
    case named(String)
  }

  /// The value as the source has it.
  let text: String
  let base: Base
  /// A Lua expression, in which `t` is the type object of the base.
  let lua: String

  /// - Returns: nil if such a value cannot be made.
  init?(_ text: String) {
    self.text = text
    if let literal = Self.literal(text[...]) {
      base = .none
      lua = literal
      return
    }
    if Self.isEmptyClosure(text) {
      base = .none
      // It returns its `inout` arguments.
      lua = "function(...) return ... end"
      return
    }
    // What `T` stands for is known when the call is made.
    if text.hasSuffix(".self"), !text.contains("(") {
      base = .parameter
      lua = "t"
      return
    }
    guard let member = Member(text) else { return nil }
    base = member.base
    lua = member.lua
  }
}

// MARK: Literals

extension WrittenDefault {
  /// A literal as Lua writes it; nil: it is none, or one that Lua cannot write.
  fileprivate static func literal(_ text: Substring) -> String? {
    switch text {
    case "nil", "true", "false": return String(text)
    case "[]", "[:]": return "{}"
    default: return string(text) ?? number(text) ?? computed(text)
    }
  }

  /// `{}`, `{ _ in }`, `{ _, _ in }`
  fileprivate static func isEmptyClosure(_ text: String) -> Bool {
    guard text.first == "{", text.last == "}" else { return false }
    let words = text.dropFirst().dropLast().split { $0 == " " || $0 == "," || $0.isNewline }
    return words.isEmpty || words.last == "in" && words.dropLast().allSatisfy { $0 == "_" }
  }

  private static func string(_ text: Substring) -> String? {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return nil }
    let content = text.dropFirst().dropLast()
    // Escapes of Swift's are not all Lua's.
    return content.contains { $0 == "\\" || $0 == "\"" || $0.isNewline } ? nil : String(text)
  }

  private static func number(_ text: Substring) -> String? {
    let isNegative = text.first == "-"
    let digits = (isNegative ? text.dropFirst() : text).filter { $0 != "_" }
    guard digits.first?.isNumber == true else { return nil }
    let sign = isNegative ? "-" : ""
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
      return Int(digits.dropFirst(2), radix: radix).map { "\(sign)\($0)" }
    }
    if let integer = Int(digits) { return "\(sign)\(integer)" }
    return Double(digits).flatMap { $0.isFinite ? "\(sign)\($0)" : nil }
  }

  /// `80 * 1024`, `1 << 14`
  private static func computed(_ text: Substring) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 3, ["*", "+", "-", "<<"].contains(words[1]),
      let left = integer(words[0]), let right = integer(words[2])
    else { return nil }
    return "\(left) \(words[1]) \(right)"
  }

  private static func integer(_ text: Substring) -> String? {
    number(text).flatMap { Int($0).map(String.init) }
  }
}

// MARK: Members

/// `.ok`, `Allocator()`, `Server.defaultPort`, `.seconds(60)`, `.init(major: 1, minor: 1)`
private struct Member {
  let base: WrittenDefault.Base
  let lua: String

  init?(_ text: String) {
    var path = text[...]
    var arguments: [(label: String, value: String)]?
    if let open = text.firstIndex(of: "("), text.last == ")" {
      path = text[..<open]
      guard let read = Self.arguments(text[text.index(after: open)...].dropLast()) else {
        return nil
      }
      arguments = read
    }
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(Self.identifier)
    let isImplicit = names.first == .some("") && names.count == 2
    if isImplicit { names.removeFirst() }
    guard names.allSatisfy({ $0?.isEmpty == false }), var name = names.last ?? nil else {
      return nil
    }
    var owners = names.dropLast().map { $0 ?? "" }
    if !isImplicit, arguments != nil, name.first?.isUppercase == true {
      owners.append(name)
      name = "init"
    }
    guard isImplicit || !owners.isEmpty else { return nil }
    base = isImplicit ? .parameter : .named(owners.joined(separator: "."))
    lua = Self.lua(name, arguments)
  }

  private static func lua(_ name: String, _ arguments: [(label: String, value: String)]?) -> String
  {
    guard let arguments else { return "t[\"\(name)\"]" }
    if arguments.isEmpty { return name == "init" ? "t()" : "t[\"\(name)\"]()" }
    if name == "init" {
      // By name, as static members of a type have no initializers.
      let values = arguments.map { $0.label == "_" ? $0.value : "[\"\($0.label)\"] = \($0.value)" }
      let list = values.joined(separator: ", ")
      return arguments.contains { $0.label != "_" } ? "t{\(list)}" : "t(\(list))"
    }
    let labels = arguments.map { $0.label + ":" }.joined()
    let values = arguments.map(\.value).joined(separator: ", ")
    return "t[\"\(name)(\(labels))\"](\(values))"
  }

  /// The name without its backticks; nil: it is none.
  private static func identifier(_ text: Substring) -> String? {
    var name = text
    if name.count > 2, name.first == "`", name.last == "`" { name = name.dropFirst().dropLast() }
    let isName = name.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
    }
    return isName ? String(name) : nil
  }

  /// Reads `major: 1, minor: 1`; nil: a value is no literal.
  private static func arguments(_ text: Substring) -> [(label: String, value: String)]? {
    if text.isEmpty { return [] }
    var arguments: [(label: String, value: String)] = []
    // A comma in a string leaves parts that are no literals.
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var value = part.drop { $0 == " " }
      var label = "_"
      if let colon = value.firstIndex(of: ":"), let name = identifier(value[..<colon]),
        !name.isEmpty
      {
        label = name
        value = value[value.index(after: colon)...].drop { $0 == " " }
      }
      guard let literal = WrittenDefault.literal(value) else { return nil }
      arguments.append((label, literal))
    }
    return arguments
  }
}

// SPDX-License-Identifier: MIT

import WaxwingLua

/// The globals that every patch has.
enum PreludeNames {
  static let all = Set(definitions.compactMap(global)).union([
    "_G", "_VERSION", "assert", "coroutine", "error", "getmetatable", "ipairs", "math", "next",
    "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "select", "setmetatable",
    "string", "table", "tonumber", "tostring", "type", "utf8", "xpcall",
  ])

  /// The members of type objects and modules that are not the program's.
  static let ofTypes: Set<String> = [
    "after", "alloc", "before", "case", "deinit", "didSet", "field", "get", "init", "instead",
    "method",
    "modify", "new", "self", "set", "static", "super", "willSet",
  ]

  /// The fields of those members that are tables.
  static let fields: [String: [String]] = [
    "coroutine": [
      "close", "create", "isyieldable", "resume", "running", "status", "wrap", "yield",
    ],
    "log": definitions.compactMap { name($0, after: "function log.", until: "(") }.sorted(),
    "math": [
      "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod",
      "frexp", "huge", "ldexp", "log", "log10", "max", "maxinteger", "min", "mininteger", "modf",
      "pi", "pow", "rad", "random", "sin", "sinh", "sqrt", "tan", "tanh", "tointeger", "type",
      "ult",
    ],
    "string": [
      "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack",
      "packsize", "rep", "reverse", "sub", "unpack", "upper",
    ],
    "table": [
      "concat", "insert", "move", "pack", "remove", "sort", "unpack",
    ],
    "utf8": [
      "char", "charpattern", "codepoint", "codes", "len", "offset",
    ],
  ]

  /// The lines of lua/meta/globals.lua, which defines Waxwing's own for editors.
  private static let definitions = String(decoding: LuaSources.globals, as: UTF8.self)
    .split(separator: "\n")

  /// The global that a line defines: `function after(…) end`, `null = nil`.
  private static func global(_ line: Substring) -> String? {
    name(line, after: "function ", until: "(") ?? name(line, after: "", until: " = ")
  }

  private static func name(_ line: Substring, after start: String, until end: String) -> String? {
    guard line.hasPrefix(start), let end = line.firstRange(of: end) else { return nil }
    let name = line[line.index(line.startIndex, offsetBy: start.count)..<end.lowerBound]
    return name.allSatisfy { $0.isLetter || $0 == "_" } ? String(name) : nil
  }
}

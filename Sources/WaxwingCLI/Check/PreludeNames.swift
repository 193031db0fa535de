// SPDX-License-Identifier: MIT

/// The globals that every patch has.
enum PreludeNames {
  static let all: Set<String> = [
    "_G", "_VERSION", "after", "all", "ask", "assert", "cancelled", "class", "clock", "conform",
    "continuation", "copy", "coroutine", "each", "error", "fallback", "getmetatable", "global",
    "ipairs", "is", "live", "log", "main", "math", "module", "next", "null", "objects", "on",
    "original", "pairs", "patch", "patching", "pcall", "print", "race", "rawequal", "rawget",
    "rawlen", "rawset", "repack", "require", "reveal", "select", "setmetatable", "sleep", "string",
    "table", "task",
    "thread", "throw", "timeout", "tonumber", "tostring", "type", "typeof", "unpack", "utf8",
    "version", "waxClass", "weak", "when_loaded", "xpcall",
  ]

  /// What type objects and modules have that is none of the program's.
  static let ofTypes: Set<String> = [
    "after", "alloc", "before", "case", "deinit", "didSet", "field", "get", "init", "instead",
    "method",
    "modify", "new", "self", "set", "static", "super", "willSet",
  ]

  /// What those of them that are tables have.
  static let fields: [String: [String]] = [
    "coroutine": [
      "close", "create", "isyieldable", "resume", "running", "status", "wrap", "yield",
    ],
    "log": [
      "debug", "error", "info", "warn",
    ],
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
}

// SPDX-License-Identifier: MIT

/// The globals that every patch has.
enum PreludeNames {
  static let all: Set<String> = [
    "_G", "_VERSION", "after", "all", "ask", "assert", "cancelled", "class", "clock", "conform",
    "continuation", "copy", "coroutine", "each", "error", "fallback", "getmetatable", "global",
    "ipairs", "is", "live", "log", "main", "math", "module", "next", "null", "objects", "on",
    "original", "pairs", "patch", "pcall", "print", "race", "rawequal", "rawget", "rawlen",
    "rawset", "repack", "require", "select", "setmetatable", "sleep", "string", "table", "task",
    "thread", "throw", "timeout", "tonumber", "tostring", "type", "typeof", "unpack", "utf8",
    "version", "waxClass", "weak", "when_loaded", "xpcall",
  ]
}

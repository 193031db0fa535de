// SPDX-License-Identifier: MIT

internal import WaxwingBridge

/// The file `.luacheckrc` of a patch: which globals there are.
enum CheckSettings {
  static var text: String {
    let plain = PreludeNames.all.filter { PreludeNames.fields[$0] == nil }.sorted()
    let tables = PreludeNames.fields.sorted { $0.key < $1.key }.map { name, fields in
      "\(name) = {\n      fields = {\n\(list(fields, indent: 8))\n      },\n    },"
    }
    return """
      -- What a patch sees, for luacheck: not all of Lua's libraries, and Waxwing's own.
      stds.waxwing = {
        read_globals = {
      \(list(plain, indent: 4))
          \(tables.joined(separator: "\n    "))
        },
      }
      std = "waxwing"
      -- Types and modules of the program are globals; `waxwing check --program` knows which there are.
      ignore = { "113/%u%w*" }
      exclude_files = { ".waxwing" }

      """
  }

  /// Strings in lines of at most 90 columns.
  private static func list(_ names: [String], indent: Int) -> String {
    let start = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = start
    for name in names {
      let item = LuaName.quoted(name) + ","
      if line.count + item.count > 90 {
        lines.append(line)
        line = start
      }
      line += (line == start ? "" : " ") + item
    }
    return (lines + [line]).joined(separator: "\n")
  }
}

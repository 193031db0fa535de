// SPDX-License-Identifier: MIT

import WaxwingPatches
import WaxwingToolKit

extension ParsedArguments {
  /// A Lua expression.
  /// - Throws: If it is none, with what Lua's compiler says against it.
  func expression(_ name: String) throws(CommandError) -> String? {
    guard let text = self[name] else { return nil }
    let statements: [LuaStatement]
    do {
      statements = try LuaChunk(PatchFile(name: "expression", bytes: Array("return \(text)".utf8)))
        .statements
    } catch {
      throw refused(name, text, error.message)
    }
    guard case .return(let values)? = statements.first, values.count == 1 else {
      throw refused(name, text, "it is to be one expression")
    }
    return text
  }

  private func refused(_ name: String, _ text: String, _ reason: String) -> CommandError {
    .usage(
      "'\(name) \(text.cut(to: 60))' is no Lua expression: \(reason)", command: command)
  }
}

// SPDX-License-Identifier: MIT

import WaxwingPatches

/// `waxwing run`: a Lua script in a fresh process with the bridge.
struct RunCommand: Command {
  let name = "run"
  let summary = "runs a Lua script in a fresh process with the bridge"
  let usage = ["SCRIPT [ARGUMENT…]"]
  let arguments = [
    HelpEntry("SCRIPT", "a .lua file, or a folder with main.lua and its modules"),
    HelpEntry("ARGUMENT", "handed to the script as `...`, options too"),
  ]
  let examples = ["waxwing run hello.lua", "waxwing run convert.lua --from eur 12"]
  let argumentCount = 1...Int.max
  let passesArgumentsOn = true

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let source: PatchSource
    do { source = try PatchSource(path: arguments.positional[0]) } catch {
      throw CommandError(error)
    }
    return try ScriptRunning.run(source, arguments: Array(arguments.positional.dropFirst()))
  }
}

// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// `completion`: a script that teaches a shell the program's commands.
struct CompletionCommand: FleetCommand {
  let program: FleetProgram
  let name = "completion"
  let summary = "prints a script that completes commands and options in a shell"
  let usage = ["bash | zsh | fish"]
  let arguments: [Argument] = [
    .word("bash", "for bash 4.3 or newer"),
    .word("zsh", "for zsh 5 or newer"),
    .word("fish", "for fish 3 or newer"),
  ]
  let argumentCount = 1...1
  let usesStore = false

  func run(_ arguments: FleetArguments, _ console: FleetConsole) throws(FleetError) -> FleetExit {
    let program = program.description
    switch arguments.positional[0] {
    case "bash": console.print(document: BashCompletion(program).text)
    case "zsh": console.print(document: ZshCompletion(program).text)
    case "fish": console.print(document: FishCompletion(program).text)
    case let shell:
      throw FleetError(
        .invalid, "'\(shell)' is not bash, zsh or fish", remedy: "name one of the three")
    }
    return .success
  }
}

// SPDX-License-Identifier: MIT

import WaxwingToolKit

/// `waxwing completion`: a script that teaches a shell the tool's commands.
struct CompletionCommand: Command {
  let name = "completion"
  let summary = "prints a script that completes commands, options and names in a shell"
  let usage = ["bash | zsh | fish"]
  let arguments: [Argument] = [
    .word("bash", "for bash 4.3 or newer"),
    .word("zsh", "for zsh 5 or newer"),
    .word("fish", "for fish 3 or newer"),
  ]
  let notes = [
    """
    The script knows commands, options, files where files are wanted, running daemons, and the live
    patches and overridden functions of the daemon that the line means. `scripts/install` and the
    Debian package put the scripts where the shells look. By hand, for your user alone:
      bash  waxwing completion bash > ~/.local/share/bash-completion/completions/waxwing
      zsh   waxwing completion zsh > FOLDER/_waxwing, with FOLDER in fpath before compinit runs
      fish  waxwing completion fish > ~/.config/fish/completions/waxwing.fish
    """
  ]
  let examples = ["waxwing completion bash", "source <(waxwing completion bash)"]
  let argumentCount = 1...1

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let program = CommandLineTool.help
    switch arguments.positional[0] {
    case "bash": console.print(document: BashCompletion(program).text)
    case "zsh": console.print(document: ZshCompletion(program).text)
    case "fish": console.print(document: FishCompletion(program).text)
    case let shell: throw unknownWord(shell)
    }
    return .success
  }
}

// SPDX-License-Identifier: MIT

/// `completion`: a script that teaches a shell a program's commands.
package struct CompletionCommand: Command {
  package let name = "completion"
  package let summary = "prints a script that completes commands, options and names in a shell"
  package let usage = ["bash | zsh | fish"]
  package let arguments: [Argument] = [
    .word("bash", "for bash 4.3 or newer"),
    .word("zsh", "for zsh 5 or newer"),
    .word("fish", "for fish 3 or newer"),
  ]
  package let notes: [String]
  package let examples: [String]
  package let argumentCount = 1...1
  private let program: @Sendable () -> ProgramHelp

  /// - Parameters:
  ///   - name: The name of the program.
  ///   - note: The things that the script completes.
  ///   - program: The program, with this command in it.
  package init(
    _ name: String, note: String, _ program: @escaping @Sendable () -> ProgramHelp
  ) {
    notes = [
      """
      \(note) `scripts/install` and the Debian package put the scripts where the shells look.
      By hand, for your user alone, write it to this file:
        bash  ~/.local/share/bash-completion/completions/\(name)
        zsh   _\(name), in a folder that is in fpath before compinit runs
        fish  ~/.config/fish/completions/\(name).fish
      """
    ]
    examples = ["\(name) completion bash", "source <(\(name) completion bash)"]
    self.program = program
  }

  package func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let program = program()
    switch arguments.positional[0] {
    case "bash": console.print(document: BashCompletion(program).text)
    case "zsh": console.print(document: ZshCompletion(program).text)
    case "fish": console.print(document: FishCompletion(program).text)
    case let shell: throw unknownWord(shell, of: program.name)
    }
    return .success
  }
}

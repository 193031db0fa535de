// SPDX-License-Identifier: MIT

/// The script for zsh, a `#compdef` function: specifications for `_arguments` come from the commands.
struct ZshCompletion {
  private let program: ProgramHelp
  private let commands: [CommandCompletion]

  /// The script of a program.
  init(_ program: ProgramHelp) {
    self.program = program
    commands = program.completions
  }

  private var prefix: String { "_\(program.name)" }

  /// The completion script.
  var text: String {
    """
    #compdef \(program.name)
    # zsh completion for \(program.name); made by `\(program.name) completion zsh`.

    # Names that only the running daemons tell. Nothing of them is expanded.
    \(prefix)_names() {
      local -a names daemon
      [[ -z ${opt_args[--program]-} ]] || daemon=(--program "${(Q)opt_args[--program]}")
      [[ -z ${opt_args[--socket]-} ]] || daemon=(--socket "${(Q)opt_args[--socket]}")
      names=("${(@f)$("$waxwing_tool" complete $1 $daemon 2>/dev/null)}")
      names=(${names:#})
      compadd -a names
    }

    # Values of the kinds; `waxwing_words` has those that are words, with their meanings.
    \(prefix)_values() {
      local kind
      local -i found=1
      for kind in $@; do
        case $kind in
          (words) _describe -t words word waxwing_words && found=0 ;;
          # PROGRAM, unless an option says already which daemon is meant.
          (program) [[ -n ${opt_args[--program]-}${opt_args[--socket]-} ]] || {
              \(prefix)_names daemon && found=0
            } ;;
          (daemon|patch|override) \(prefix)_names $kind && found=0 ;;
          (patch-file) _files -g '*.lua' && found=0 ;;
          (folder) _files -/ && found=0 ;;
          (file) _files && found=0 ;;
          (command) if (( CURRENT > 2 )); then _files; else _command_names -e; fi && found=0 ;;
        esac
      done
      return found
    }

    \(program.isOneCommand ? onlyCommand : severalCommands)
    # Loaded from a file of fpath, this is the body of the function; sourced, it says so.
    if [[ ${funcstack[1]-} == \(prefix) ]]; then
      \(prefix) "$@"
    else
      compdef \(prefix) \(program.name)
    fi
    """
  }

  private var severalCommands: String {
    """
    \(prefix)_commands() {
      local -a commands
      commands=(
    \(listed(commands.map { HelpEntry($0.name, $0.summary) }, indent: 4))
        'help:shows the help of the tool or of a command'
      )
      _describe -t commands command commands
    }

    \(prefix)() {
      local curcontext="$curcontext" state line waxwing_tool="${${(Q)words[1]}/#\\~/$HOME}"
      local -a waxwing_words
      typeset -A opt_args
      _arguments -C \\
        '(- *)--help[shows the help of the tool]' \\
        '(- *)--version[shows the version of the tool]' \\
        '1: :\(prefix)_commands' \\
        '*:: :->rest' && return
      [[ $state == rest ]] || return
      curcontext="${curcontext%:*:*}:\(program.name)-$words[1]:"
      case $words[1] in
    \(commands.map(branch).joined(separator: "\n"))
        (help)
          _arguments '1: :\(prefix)_commands'
          ;;
      esac
    }

    """
  }

  private var onlyCommand: String {
    """
    \(prefix)() {
      local curcontext="$curcontext" state line waxwing_tool="${${(Q)words[1]}/#\\~/$HOME}"
      local -a waxwing_words
      typeset -A opt_args
      case '' in
    \(commands.map(branch).joined(separator: "\n"))
      esac
    }

    """
  }

  private func branch(_ command: CommandCompletion) -> String {
    var lines = ["    (\(command.name.isEmpty ? "''" : command.name))"]
    if let successor = command.successor {
      // The completion of the program that the command becomes, as if it stood on the line itself.
      lines += [
        "      if (( CURRENT > 1 )) && [[ $words[2] != --h* && -n ${_comps[\(successor)]-} ]]; then",
        "        words[1]=\(successor) service=\(successor)",
        "        $_comps[\(successor)]",
        "        return",
        "      fi",
      ]
    }
    let words = command.positions.flatMap(CommandCompletion.words)
    if !words.isEmpty {
      lines += ["      waxwing_words=(", listed(words, indent: 8), "      )"]
    }
    var parts = command.options.map(specification)
    for (index, position) in command.positions.enumerated() {
      let isLast = index == command.positions.count - 1
      let place = isLast && command.repeatsLast ? "*" : "\(index + 1)"
      parts.append(specification(place, position, passesOn: command.passesArgumentsOn && isLast))
    }
    lines.append("      _arguments -S \\")
    lines.append(parts.map { "        \($0)" }.joined(separator: " \\\n"))
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private func specification(_ option: Option) -> String {
    var text = option.repeats ? "*" : ""
    let isLong = option.name.hasPrefix("--")
    text += option.name + (option.value != nil && isLong ? "=" : "")
    text += "[\(Self.escaped(option.meaning))]"
    if let value = option.value {
      let action =
        option.words.isEmpty
        ? action(option.kinds) : "(\(option.words.joined(separator: " ")))"
      text += ":\(Self.escaped(value)):\(action)"
    }
    return Self.quoted(text)
  }

  private func specification(_ place: String, _ position: [Argument], passesOn: Bool) -> String {
    let title = position.first { !$0.isWord }?.term ?? "word"
    let hasWords = position.contains(where: \.isWord)
    let kinds = CommandCompletion.kinds(at: position)
    let tags =
      (hasWords ? ["words"] : [])
      + kinds.map { $0 == .daemon ? "program" : $0.tag }.filter { $0 != "text" }
    // An action that only shows a message keeps options from being completed.
    let action = tags.isEmpty ? "()" : " \(prefix)_values \(tags.joined(separator: " "))"
    // What somebody else gets is not looked at for options.
    let mark = passesOn && place == "*" ? "*::" : "\(place):"
    return Self.quoted("\(mark)\(title):\(action)")
  }

  private func action(_ kinds: [ValueKind]) -> String {
    let tags = kinds.map(\.tag).filter { $0 != "text" }
    return tags.isEmpty ? "()" : " \(prefix)_values \(tags.joined(separator: " "))"
  }

  /// The entries as lines `'word:meaning'`.
  private func listed(_ entries: [HelpEntry], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    return entries.map { entry in
      space + Self.quoted("\(entry.term):\(entry.meaning)")
    }.joined(separator: "\n")
  }

  /// Text inside a specification.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\[]:".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

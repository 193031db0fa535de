// SPDX-License-Identifier: MIT

/// The script for fish: a `complete` line for each command, option and argument.
struct FishCompletion {
  private let program: ProgramHelp
  private let commands: [CommandCompletion]

  /// The script of a program.
  init(_ program: ProgramHelp) {
    self.program = program
    commands = program.completions
  }

  private var prefix: String { "__\(program.identifier)" }

  /// The completion script.
  var text: String {
    let head = """
      # fish completion for \(program.name); made by `\(program.name) completion fish`.


      """
    return head + (program.isOneCommand ? onlyCommand : severalCommands)
  }

  /// The completions of a program that takes its options without a command.
  private var onlyCommand: String {
    let options = commands.flatMap(\.options).map { option in
      "complete -c \(program.name) \(flags(option)) -d \(Self.quoted(option.meaning))"
    }
    return (["complete -c \(program.name) -f"] + options).joined(separator: "\n")
  }

  private var severalCommands: String {
    """
    # The options of a command that take a value.
    function \(prefix)_valued
        switch $argv[1]
    \(commands.filter { !$0.valued.isEmpty }.map(valued).joined(separator: "\n"))
        end
    end

    # Succeeds if no command was typed yet.
    function \(prefix)_no_command
        test (count (commandline -opc)) -eq 1
    end

    # Prints how many arguments stand before the cursor; fails if this is another command's line.
    function \(prefix)_count
        set -l words (commandline -opc)
        test "$words[2]" = "$argv[1]"; or return 1
        set -l valued (\(prefix)_valued $argv[1])
        set -l count 0
        set -l skip 0
        set -l ended 0
        for word in $words[3..-1]
            if test $skip -eq 1
                set skip 0
            else if test $ended -eq 0; and test "$word" = --
                set ended 1
            else if test $ended -eq 0; and string match -q -- '-?*' $word
                contains -- $word $valued; and set skip 1
            else
                set count (math $count + 1)
            end
        end
        echo $count
    end

    # Succeeds on a command's line; with a number, at that argument; with two, from one to the other.
    function \(prefix)_at
        set -l count (\(prefix)_count $argv[1]); or return 1
        test (count $argv) -eq 1; and return 0
        set count (math $count + 1)
        test $count -ge $argv[2]; and test $count -le $argv[-1]
    end

    # Names that only the running daemons tell, of the daemon that the line means.
    function \(prefix)_names
        set -l words (commandline -opc)
        set -l daemon
        for index in (seq 3 (count $words))
            switch $words[$index]
                case --program --socket
                    test $index -lt (count $words); and set daemon $words[$index] $words[(math $index + 1)]
                case '--program=*' '--socket=*'
                    set daemon $words[$index]
            end
        end
        # PROGRAM is not offered where an option says already which daemon is meant.
        test "$argv[2]" = program; and set -q daemon[1]; and return
        command $words[1] complete $argv[1] $daemon 2>/dev/null
    end

    # A command of the shell, or the path of a program, and behind it what that takes.
    function \(prefix)_command_line
        if string match -q -- '*/*' (commandline -ct)
            __fish_complete_path (commandline -ct)
        else
            __fish_complete_subcommand --fcs-skip=3
        end
    end

    # What the completion of the program that a command becomes offers for the rest of the line.
    function \(prefix)_succeed
        set -l words (commandline -opc)
        complete -C (string join ' ' -- $argv[1] (string escape -- $words[3..-1]) (commandline -ct))
    end

    complete -c \(program.name) -f
    complete -c \(program.name) -n \(prefix)_no_command -l help -d 'shows the help of the tool'
    complete -c \(program.name) -n \(prefix)_no_command -l version -d 'shows the version of the tool'
    complete -c \(program.name) -n \(prefix)_no_command -a help -d 'shows the help of the tool or of a command'
    complete -c \(program.name) -n '\(prefix)_at help 1' -a '\(commands.map(\.name).joined(separator: " "))'
    \(commands.map(lines).joined(separator: "\n"))
    """
  }

  private func valued(_ command: CommandCompletion) -> String {
    """
            case \(command.name)
                printf '%s\\n' \(command.valued.joined(separator: " "))
    """
  }

  private func lines(_ command: CommandCompletion) -> String {
    let summary = Self.quoted(command.summary)
    var lines = [
      "complete -c \(program.name) -n \(prefix)_no_command -a \(command.name) -d \(summary)"
    ]
    // Behind its first argument, options are somebody else's.
    let place = command.passesArgumentsOn ? "\(command.name) 1" : command.name
    lines += command.options.map { option in
      "complete -c \(program.name) -n '\(prefix)_at \(place)' \(flags(option)) -d "
        + Self.quoted(option.meaning)
    }
    if let successor = command.successor {
      lines.append(
        "complete -c \(program.name) -n '\(prefix)_at \(command.name)' "
          + "-a '(\(prefix)_succeed \(successor))'")
      return lines.joined(separator: "\n")
    }
    for (index, position) in command.positions.enumerated() {
      let isLast = index == command.positions.count - 1
      let last = isLast && command.repeatsLast ? 10_000 : index + 1
      lines += arguments(position, "\(prefix)_at \(command.name) \(index + 1) \(last)")
    }
    return lines.joined(separator: "\n")
  }

  private func flags(_ option: Option) -> String {
    let name =
      option.name.hasPrefix("--")
      ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
    return name + (option.value == nil ? "" : value(option.kinds, option.words))
  }

  private func arguments(_ position: [Argument], _ condition: String) -> [String] {
    let head = "complete -c \(program.name) -n '\(condition)'"
    return position.flatMap { argument -> [String] in
      if argument.isWord {
        return ["\(head) -a \(argument.term) -d \(Self.quoted(argument.meaning))"]
      }
      return argument.kinds.compactMap { kind in
        kind == .daemon ? " -a '(\(prefix)_names daemon program)'" : source(kind)
      }.map { "\(head)\($0)" }
    }
  }

  /// The completion of an option's value.
  private func value(_ kinds: [ValueKind], _ words: [String]) -> String {
    let sources = kinds.compactMap(source).joined()
    if !words.isEmpty { return " -x -a '\(words.joined(separator: " "))'" }
    return (sources.contains("-F") ? " -r" : " -x") + sources
  }

  /// Flags of `complete`; nil: nothing can be offered.
  private func source(_ kind: ValueKind) -> String? {
    switch kind {
    case .text, .words: nil
    case .file: " -F"
    case .folder: " -a '(__fish_complete_directories)'"
    case .patchFile: " -a '(__fish_complete_suffix .lua)'"
    case .commandLine: " -a '(\(prefix)_command_line)'"
    case .daemon, .livePatch, .override: " -a '(\(prefix)_names \(kind.tag))'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

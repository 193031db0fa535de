// SPDX-License-Identifier: MIT

/// The script for bash: what `_NAME_command` says comes from the commands, the rest is the same for
/// all of them.
struct BashCompletion {
  private let program: ProgramHelp
  private let commands: [CommandCompletion]

  /// The script of a program.
  init(_ program: ProgramHelp) {
    self.program = program
    commands = program.completions
  }

  private var prefix: String { "_\(program.identifier)" }

  /// The completion script.
  var text: String {
    let names = (commands.map(\.name) + ["help"]).joined(separator: " ")
    let isOne = program.isOneCommand
    return """
      # bash completion for \(program.name); made by `\(program.name) completion bash`.

      # Sets `switches`, `valued` (what an option's value can be), `positions` (what the arguments can
      # be), `repeats`, `passes` and `successor` (the program that it becomes), for one command. A kind with = is
      # a word.
      \(prefix)_command() {
        switches=() valued=() positions=() repeats='' passes='' successor=''
        case $1 in
      \(commands.map(branch).joined(separator: "\n"))
          help) positions=("\(commands.map { "=\($0.name)" }.joined(separator: " "))") ;;
        esac
      }

      \(prefix)_commands='\(isOne ? "" : names)'

      \(functions)
      """
  }

  private func branch(_ command: CommandCompletion) -> String {
    let switches = command.options.filter { $0.value == nil }.map(\.name)
    let valued = command.options.filter { $0.value != nil }.map { option in
      "[\(option.name)]='\(Self.tags(option.kinds))'"
    }
    let positions = command.positions.map { position in
      "'\(Self.tags(position.flatMap(\.kinds)))'"
    }
    let name = command.name.isEmpty ? "''" : command.name
    var lines = ["    \(name))", "      switches=(\(switches.joined(separator: " ")))"]
    if !valued.isEmpty { lines.append("      valued=(\(valued.joined(separator: " ")))") }
    if !positions.isEmpty { lines.append("      positions=(\(positions.joined(separator: " ")))") }
    if command.repeatsLast { lines.append("      repeats=1") }
    if command.passesArgumentsOn { lines.append("      passes=1") }
    if let successor = command.successor { lines.append("      successor=\(successor)") }
    let several = command.options.filter(\.repeats).map(\.name)
    if !several.isEmpty { lines.append("      several=' \(several.joined(separator: " ")) '") }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  /// Kinds as the script's functions take them; at least one, as an empty value means a switch.
  private static func tags(_ kinds: [ValueKind]) -> String {
    let tags = kinds.flatMap { kind -> [String] in
      if case .words(let words) = kind { words.map { "=\($0)" } } else { [kind.tag] }
    }
    return (tags.isEmpty ? [ValueKind.text.tag] : tags).joined(separator: " ")
  }

  private var functions: String {
    #"""
    # Puts the words up to the cursor into `words`; bash splits at = : and @, which are joined again.
    \#(prefix)_split() {
      local rest=${COMP_LINE:0:COMP_POINT} trimmed word index
      words=()
      for ((index = 0; index <= COMP_CWORD; index++)); do
        trimmed=${rest#"${rest%%[![:space:]]*}"}
        if ((index == 0)) || [[ $trimmed != "$rest" ]]; then words+=(''); fi
        word=${COMP_WORDS[index]}
        if ((index == COMP_CWORD)); then word=$trimmed; fi
        words[${#words[@]} - 1]+=$word
        rest=${trimmed#"$word"}
      done
    }

    # Offers what begins with the current word, quoted as it has to be. Nothing of it is expanded: names
    # come from programs and patches.
    \#(prefix)_offer() {
      local candidate quoted
      for candidate in "$@"; do
        case $current in
          [\'\"]*) quoted=${current:0:1}$candidate ;;
          *) printf -v quoted %q "$candidate" ;;
        esac
        [[ $quoted == "$current"* ]] || continue
        quoted=${quoted#"$kept"}
        [[ $current != [\'\"]* ]] || quoted=${quoted#[\'\"]}
        COMPREPLY+=("$quoted")
      done
    }

    # Offers values of the kinds. Where files are wanted, and nothing else fits, readline looks for them.
    \#(prefix)_values() {
      local kind names
      for kind in "$@"; do
        case $kind in
          =*) \#(prefix)_offer "${kind#=}" ;;
          daemon | patch | override)
            mapfile -t names < <("$tool" complete "$kind" "${daemon[@]}" 2>/dev/null)
            \#(prefix)_offer "${names[@]}"
            ;;
          patch-file)
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
              compgen -f -X '!*.lua' -- "$part"
              compgen -d -- "$part"
            )
            ((${#COMPREPLY[@]} > 0)) || compopt -o default 2>/dev/null
            ;;
          folder)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$part")
            ;;
          file) compopt -o default 2>/dev/null ;;
          command)
            if ((position == 1)); then
              mapfile -t COMPREPLY < <(compgen -c -- "$part")
            else
              compopt -o default 2>/dev/null
            fi
            ;;
        esac
      done
    }

    \#(prefix)() {
      # What readline replaces, and what it keeps before that.
      local part=${2-} kept words current
      COMPREPLY=()
      \#(prefix)_split
      current=${words[${#words[@]} - 1]}
      kept=${current%"$part"}
      [[ $kept != [\'\"] ]] || kept=''
      unset 'words[${#words[@]}-1]'
      local tool=${words[0]/#\~\//$HOME/}

      local switches positions repeats passes successor several='' daemon=()
      local -A valued=() given=()
      # Where options stand behind the program's name, there is one command, whose name is empty.
      local command='' behind=1
      [[ -z $\#(prefix)_commands ]] || { command=${words[1]-} behind=2; }
      if ((${#words[@]} < behind)); then
        local names
        read -ra names <<<"$\#(prefix)_commands --help --version"
        \#(prefix)_offer "${names[@]}"
        return
      fi
      \#(prefix)_command "$command"
      if [[ -n $successor ]]; then
        \#(prefix)_succeed
        return
      fi

      local word option='' ended='' position=0
      for word in "${words[@]:behind}"; do
        if [[ -n $option ]]; then
          case $option in --program | --socket) daemon=("$option" "${word//[\"\'\\]/}") ;; esac
          option=''
        elif [[ -n $ended || $word != -?* ]]; then
          position=$((position + 1))
          ended=$ended$passes
        elif [[ $word == -- ]]; then
          ended=1
        else
          given[${word%%=*}]=1
          case $word in
            --program=* | --socket=*) daemon=("${word%%=*}" "${word#*=}") ;;
            *) [[ -z ${valued[$word]-} ]] || option=$word ;;
          esac
        fi
      done

      local kinds
      if [[ -n $option ]]; then
        read -ra kinds <<<"${valued[$option]}"
        \#(prefix)_values "${kinds[@]}"
      elif [[ -z $ended && $current == -*=* ]]; then
        read -ra kinds <<<"${valued[${current%%=*}]-}"
        kept=${kept#"${current%%=*}="}
        current=${current#*=}
        \#(prefix)_values "${kinds[@]}"
      elif [[ -z $ended && $current == -* ]]; then
        \#(prefix)_options
      else
        local last=$((${#positions[@]} - 1)) place=$position
        if ((place > last)) && [[ -n $repeats ]]; then place=$last; fi
        read -ra kinds <<<"${positions[place]-}"
        # An option says already which daemon is meant.
        if ((${#daemon[@]} > 0)); then
          local kind all=("${kinds[@]}")
          kinds=()
          for kind in "${all[@]}"; do [[ $kind == daemon ]] || kinds+=("$kind"); done
        fi
        \#(prefix)_values "${kinds[@]}"
        # Where no argument is taken any more, options are all that there is.
        if [[ -z $ended && ${#kinds[@]} -eq 0 ]]; then \#(prefix)_options; fi
      fi
    }

    # Lets the completion of the program that the command becomes go on, as if it stood on the line itself.
    \#(prefix)_succeed() {
      local function=_${successor//-/_} program=$successor
      [[ $tool != */* ]] || program=${tool%/*}/$successor
      # shellcheck disable=SC1090 # it is made by the program
      declare -F "$function" >/dev/null || source <("$program" completion bash 2>/dev/null)
      declare -F "$function" >/dev/null || return
      local line=${COMP_LINE#"${COMP_WORDS[0]}"}
      line=${line#"${line%%[![:space:]]*}"}
      line=$program${line#"${COMP_WORDS[1]}"}
      local point=$((COMP_POINT - ${#COMP_LINE} + ${#line})) all=("$program" "${COMP_WORDS[@]:2}")
      local COMP_LINE=$line COMP_POINT=$point COMP_CWORD=$((COMP_CWORD - 1)) COMP_WORDS=("${all[@]}")
      "$function" "$program" "$part"
    }

    # Offers the options that are not there yet.
    \#(prefix)_options() {
      local option
      for option in "${switches[@]}" "${!valued[@]}"; do
        if [[ -z ${given[$option]-} || $several == *" $option "* ]]; then \#(prefix)_offer "$option"; fi
      done
    }

    complete -F \#(prefix) \#(program.name)
    """#
  }
}

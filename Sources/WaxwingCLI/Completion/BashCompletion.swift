// SPDX-License-Identifier: MIT

/// The script for bash: what `_waxwing_command` says comes from the commands, the rest is the same for
/// all of them.
struct BashCompletion {
  let commands: [CommandCompletion]

  var text: String {
    let names = (commands.map(\.name) + ["help"]).joined(separator: " ")
    return """
      # bash completion for waxwing; made by `waxwing completion bash`.

      # Sets `switches`, `valued` (what an option's value can be), `positions` (what the arguments can
      # be), `repeats` and `passes`, for one command. A kind with = is a word.
      _waxwing_command() {
        switches=() valued=() positions=() repeats='' passes=''
        case $1 in
      \(commands.map(branch).joined(separator: "\n"))
          help) positions=("\(commands.map { "=\($0.name)" }.joined(separator: " "))") ;;
        esac
      }

      _waxwing_commands='\(names)'

      \(Self.functions)
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
    var lines = ["    \(command.name))", "      switches=(\(switches.joined(separator: " ")))"]
    if !valued.isEmpty { lines.append("      valued=(\(valued.joined(separator: " ")))") }
    if !positions.isEmpty { lines.append("      positions=(\(positions.joined(separator: " ")))") }
    if command.repeatsLast { lines.append("      repeats=1") }
    if command.passesArgumentsOn { lines.append("      passes=1") }
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

  private static let functions = #"""
    # Puts the words up to the cursor into `words`; bash splits at = : and @, which are joined again.
    _waxwing_split() {
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
    _waxwing_offer() {
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
    _waxwing_values() {
      local kind names
      for kind in "$@"; do
        case $kind in
          =*) _waxwing_offer "${kind#=}" ;;
          daemon | patch | override)
            mapfile -t names < <("$tool" complete "$kind" "${daemon[@]}" 2>/dev/null)
            _waxwing_offer "${names[@]}"
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

    _waxwing() {
      # What readline replaces, and what it keeps before that.
      local part=${2-} kept words current
      COMPREPLY=()
      _waxwing_split
      current=${words[${#words[@]} - 1]}
      kept=${current%"$part"}
      [[ $kept != [\'\"] ]] || kept=''
      unset 'words[${#words[@]}-1]'
      local tool=${words[0]/#\~\//$HOME/}

      local switches positions repeats passes several='' daemon=()
      local -A valued=() given=()
      if ((${#words[@]} == 1)); then
        local names
        read -ra names <<<"$_waxwing_commands --help --version"
        _waxwing_offer "${names[@]}"
        return
      fi
      _waxwing_command "${words[1]}"

      local word option='' ended='' position=0
      for word in "${words[@]:2}"; do
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
        _waxwing_values "${kinds[@]}"
      elif [[ -z $ended && $current == -*=* ]]; then
        read -ra kinds <<<"${valued[${current%%=*}]-}"
        kept=${kept#"${current%%=*}="}
        current=${current#*=}
        _waxwing_values "${kinds[@]}"
      elif [[ -z $ended && $current == -* ]]; then
        _waxwing_options
      else
        local last=$((${#positions[@]} - 1)) place=$position
        if ((place > last)) && [[ -n $repeats ]]; then place=$last; fi
        read -ra kinds <<<"${positions[place]-}"
        _waxwing_values "${kinds[@]}"
        # Where no argument is taken any more, options are all that there is.
        if [[ -z $ended && ${#kinds[@]} -eq 0 ]]; then _waxwing_options; fi
      fi
    }

    # Offers the options that are not there yet.
    _waxwing_options() {
      local option
      for option in "${switches[@]}" "${!valued[@]}"; do
        if [[ -z ${given[$option]-} || $several == *" $option "* ]]; then _waxwing_offer "$option"; fi
      done
    }

    complete -F _waxwing waxwing
    """#
}

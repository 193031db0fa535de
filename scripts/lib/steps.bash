# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Steps of a long script: each runs to its end even if one before it has failed, and the last lines say what came of
# them. Some may run beside the others. To be sourced, after report.bash.
#
# `work` is a folder for what the steps print, `STEP.step`; it is removed at the end.

work=$(mktemp -d)
beside='' # process group of what runs beside the steps; empty while there is none
failed=() # names of steps
times=()  # of each step, a line
trap '[[ -z $beside ]] || kill -- "-$beside" 2>/dev/null || true; rm -rf "$work"' EXIT

# Sets `processor_seconds` to the processor time of all commands that this shell has waited for.
measure_processor() {
  local user system
  times >"$work/times.$BASHPID"
  # The first line is of the shell itself, the second of its commands.
  { read -r && read -r user system; } <"$work/times.$BASHPID"
  processor_seconds=$(awk -F'[ms ]' '{ printf "%.0f", $1 * 60 + $2 + $4 * 60 + $5 }' <<<"$user $system")
}

# Runs a step. Arguments: its name, the command.
step() {
  local name=$1
  shift
  heading "$name"
  local start=$SECONDS processor_seconds outcome=passed
  measure_processor
  local processor_start=$processor_seconds
  local output writer
  exec {output}> >(tee "$work/${name// /-}.step")
  writer=$!
  "$@" </dev/null >&"$output" 2>&1 || outcome=FAILED
  exec {output}>&-
  # All of its output first; what it has left running by mistake may keep the pipe open.
  timeout 5 tail --pid="$writer" -f /dev/null || true
  measure_processor
  local processor=$((processor_seconds - processor_start))
  printf '%s: %s after %d seconds\n' "$name" "$outcome" $((SECONDS - start))
  times+=("$name: $((SECONDS - start)) s, $processor s of processor time, $outcome")
  [[ $outcome == passed ]] || failed+=("$name")
}

# Starts a function that runs steps beside others, in a process group of its own.
start_beside() {
  set -m
  record_steps "$1" >"$work/beside.log" 2>&1 &
  beside=$!
  set +m
}

# Runs such a function, and writes down what comes of its steps, for the shell that waits for them.
record_steps() {
  failed=() times=() # those of these steps only
  "$1"
  printf '%s\n' "${times[@]}" >"$work/beside.times"
  ((${#failed[@]} == 0)) || printf '%s\n' "${failed[@]}" >"$work/beside.failed"
}

# Waits until a step beside the others has made a file, or until all of them have ended.
wait_for_beside() {
  while [[ ! -e $1 ]] && kill -0 "$beside" 2>/dev/null; do sleep 1; done
}

# Waits for the steps that run beside the others, and shows what they have printed.
end_beside() {
  wait "$beside" || true
  beside=''
  cat "$work/beside.log"
  if [[ -f $work/beside.times ]]; then
    mapfile -t -O "${#times[@]}" times <"$work/beside.times"
  else
    failed+=('What runs beside the tests')
  fi
  [[ ! -f $work/beside.failed ]] || mapfile -t -O "${#failed[@]}" failed <"$work/beside.failed"
}

# Prints how long each step took.
show_times() {
  heading 'Times'
  printf '%s\n' "${times[@]}"
  printf 'together: %d s\n' "$SECONDS"
}

# Prints the end of what each step wrote that has failed, and ends the script. Argument: steps whose failures have been
# shown, as a pattern.
end_steps() {
  local name list
  for name in "${failed[@]}"; do
    # shellcheck disable=SC2254 # a pattern
    case $name in
      $1) continue ;;
    esac
    printf '%s, the last it wrote:\n' "$name"
    tail -n 15 "$work/${name// /-}.step" 2>/dev/null || true
  done
  if ((${#failed[@]} > 0)); then
    printf -v list '%s, ' "${failed[@]}"
    fail "failed: ${list%, }"
  fi
}

# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Shows commands with their output, and checks the output. To be sourced after report.bash.

# The output of the last `run`, both streams.
output=''

# Shows a command, runs it, shows and keeps its output. The command has to succeed.
run() {
  local code=0
  announce "$@"
  output=$("$@" 2>&1) || code=$?
  if [[ -n $output ]]; then
    printf '%s\n' "$output"
  fi
  if ((code != 0)); then
    fail "this command failed with exit code $code"
  fi
}

# The last output has to be this text.
expect() {
  [[ $output == "$1" ]] || fail "that should have been: $1"
}

# The last output has to contain this text.
expect_part() {
  [[ $output == *"$1"* ]] || fail "that should have contained: $1"
}

# The last output must not contain this text.
expect_no_part() {
  [[ $output != *"$1"* ]] || fail "that should not have contained: $1"
}

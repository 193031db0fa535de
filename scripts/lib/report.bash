# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Common output of the scripts. To be sourced.

# Prints a title between the parts of a long output.
heading() {
  printf '\n== %s\n' "$*"
}

# Ends the script with a message on standard error.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Prints a command as one would type it, with quotes only where they are needed.
announce() {
  local word line=''
  for word in "$@"; do
    if [[ ! $word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]]; then
      word="'${word//\'/\'\\\'\'}'"
    fi
    line+=" $word"
  done
  printf '$%s\n' "$line"
}

# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Which files the checks look at. To be sourced.

# Prints the files of the project that match the patterns and exist, each with a null byte behind it:
# tracked ones and new ones, nothing that git ignores.
sources() {
  local file
  while IFS= read -r -d '' file; do
    [[ ! -f $file ]] || printf '%s\0' "$file"
  done < <(git ls-files -z --cached --others --exclude-standard -- "$@")
}

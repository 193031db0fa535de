# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The files that the checks read. To be sourced.

# Prints the existing files of the project that match the patterns, each followed by a null byte:
# tracked and new files, but not ignored ones.
sources() {
  local file
  while IFS= read -r -d '' file; do
    [[ ! -f $file ]] || printf '%s\0' "$file"
  done < <(git ls-files -z --cached --others --exclude-standard -- "$@")
}

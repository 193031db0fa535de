# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Builds products. To be sourced.
#
# WAXWING_BUILT names a folder in which they are built already, if it is set: scripts/test builds the
# package once in each configuration.

# Prints the folder of the products. Arguments: those of `swift build`.
products_folder() {
  if [[ -n ${WAXWING_BUILT-} ]]; then
    printf '%s\n' "$WAXWING_BUILT"
  else
    swift build "$@" --show-bin-path
  fi
}

# Builds one product. Arguments: those of `swift build`.
build_products() {
  if [[ -z ${WAXWING_BUILT-} ]]; then
    swift build "$@"
  fi
}

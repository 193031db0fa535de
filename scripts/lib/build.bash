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

# For debug builds: as a whole module each file is read once, not once for each job, which takes a fifth less.
# shellcheck disable=SC2034 # for the scripts that source this
readonly debug_options=(
  -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
)

# For debug builds of products: an index takes a twentieth. SwiftPM finds tests by it.
# shellcheck disable=SC2034 # for the scripts that source this
readonly debug_product_options=("${debug_options[@]}" --disable-index-store)

/* SPDX-License-Identifier: MIT */

#include "wax_abi_runtime.h"

#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */

/* Made by scripts/self-kinds.py. */
static const char lines[] = {
#embed "library_self_kinds.txt"
};

const char *wax_abi_library_self_kinds(size_t *count) {
  *count = sizeof lines;
  return lines;
}

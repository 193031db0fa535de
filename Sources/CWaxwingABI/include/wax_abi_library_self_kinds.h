/* SPDX-License-Identifier: MIT */

/*
 * What methods of structs and enums of Swift's own libraries do with what they are called on.
 */

#ifndef WAX_ABI_LIBRARY_SELF_KINDS_H
#define WAX_ABI_LIBRARY_SELF_KINDS_H

#include <stddef.h>

/* A line each: the method's symbol, a space, the word of its kind. Lines that begin with # say
   nothing. A constant, not terminated. */
const char *wax_abi_library_self_kinds(size_t *count);

#endif

/* SPDX-License-Identifier: MIT */

/* The look-up at the head of every dynamic function, which is ours: see lookup.c. */

#ifndef WAX_RUNTIME_LOOKUP_H
#define WAX_RUNTIME_LOOKUP_H

#include <stdbool.h>

/* Whether a dynamic function of the image that `code` is in, code or data, asks Waxwing for its
 * replacement, and not a Swift runtime that the image has to itself or that another library brought
 * in before. Where it does not, its original could not be called. Reads the image's dynamic
 * section. */
bool wax_runtime_lookup_reaches(const void *code);

/* {== For the self-check of the Swift ABI ====== */

typedef struct wax_runtime_lookup_record {
  const void *entry; /* NULL: nobody has asked */
  const void *function;
} wax_runtime_lookup_record;

/* The next dynamic function that this thread calls is told to run `replacement` instead, or its own
 * body if that is NULL. Whatever its entry says. */
void wax_runtime_lookup_watch(const void *replacement);

/* Returns the first function that has asked since, and stops watching. */
wax_runtime_lookup_record wax_runtime_lookup_watched(void);

/* ====== }== */

#endif

/* SPDX-License-Identifier: MIT */

/* Islands of async functions: see async_islands.c. */

#ifndef ASYNC_ISLANDS_H
#define ASYNC_ISLANDS_H

#include "entry.h"

#if WAX_RUNTIME_CPU_SUPPORTED

/* An async function pointer. */
typedef union wax_runtime_async_record {
  struct {
    int32_t code; /* from the record */
    uint32_t context_size;
  };
  uint64_t word;
} wax_runtime_async_record;

_Static_assert(sizeof(wax_runtime_async_record) == sizeof(void *), "an entry is one word");

/* The least size of a context: a caller's context and what to resume. */
#define WAX_RUNTIME_LEAST_CONTEXT 16

/* What an island reads; the first in a page leads all of its islands to their common code. */
typedef union wax_runtime_async_island {
  struct {
    wax_runtime_slot *slot;
    wax_runtime_async_record original; /* what the original is called by */
  };
  const void *common;
} wax_runtime_async_island;

/* The next island within reach of a place, as its data; NULL: there is no room. What was taken last
 * may be returned. */
wax_runtime_async_island *wax_runtime_async_island_take(const void *near) WAX_RUNTIME_HIDDEN;
void wax_runtime_async_island_return(const wax_runtime_async_island *island) WAX_RUNTIME_HIDDEN;

/* The island's code is as far before its data as its page is long. */
static inline const char *wax_runtime_async_island_code(const wax_runtime_async_island *island) {
  return (const char *)island - WAX_RUNTIME_ISLAND_PAGE;
}

static inline const char *wax_runtime_async_code_of(const wax_runtime_async_record *at,
                                                    wax_runtime_async_record value) {
  return (const char *)at + value.code;
}

/* A record at `at` that leads to `code`. False: it is too far. */
static inline bool wax_runtime_async_lead(const wax_runtime_async_record *at, const void *code,
                                          uint32_t context_size, wax_runtime_async_record *result) {
  int64_t away = (const char *)code - (const char *)at;
  result->code = (int32_t)away;
  result->context_size = context_size;
  return result->code == away;
}

#endif

#endif

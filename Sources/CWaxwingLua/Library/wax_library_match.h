/* SPDX-License-Identifier: MIT
 *
 * Runs the programs of patterns over a subject. Each step is charged to the call: one for each
 * instruction, each byte that a repetition goes over, each place that is tried, and each 16 bytes
 * that are compared or skipped at once.
 */
#ifndef WAX_LIBRARY_MATCH_H
#define WAX_LIBRARY_MATCH_H

#include "wax_lua_budget.h"
#include "wax_library_pattern.h"

/* Bytes of the subject. */
typedef struct wax_library_span {
  const char *start, *end;
} wax_library_span;

typedef struct wax_library_match {
  lua_State *L;
  const wax_library_program *program;
  const char *start, *end; /* of the subject */
  size_t steps;            /* since they were last charged */
  wax_library_span whole;  /* the match that was found last */
  wax_library_span captures[WAX_LIBRARY_MAX_CAPTURES];
} wax_library_match;

/* Program and subject have to be kept while the match is used. */
void wax_library_match_begin(wax_library_match *match, lua_State *L,
                             const wax_library_program *program, const char *subject, size_t count);

/* [-0, +0, v]  Finds the first match that begins at `from` or, unless it is anchored, later. One
   that ends at `last` does not count; NULL: all do. */
bool wax_library_match_next(wax_library_match *match, const char *from, const char *last);

/* [-0, +0, v]  Charges the steps since the last time. */
void wax_library_match_consume(wax_library_match *match);

/* [-0, +0, v]  What a capture has, of which NULL is the start if it is a position; the first one is
   the whole match if there is none. */
wax_library_span wax_library_match_capture(wax_library_match *match, int index);

/* [-0, +1, v] */
void wax_library_match_push_capture(wax_library_match *match, int index);

/* [-0, +n, v]  All captures. If there is none, the whole match if that is wanted. */
int wax_library_match_push_captures(wax_library_match *match, bool wants_whole);

/* [-0, +1, -]  A position in the subject, counted from 1. */
void wax_library_match_push_position(const wax_library_match *match, const char *place);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Runs the programs of patterns over a subject. Each step is charged to the call: one for each
 * instruction, each byte that a repetition goes over, each place that is tried, and each 16 bytes
 * that are compared or skipped at once.
 */
#ifndef WAXWING_MATCH_H
#define WAXWING_MATCH_H

#include "waxwing_budget.h"
#include "waxwing_pattern.h"

/* Bytes of the subject. */
typedef struct waxwing_span {
  const char *start, *end;
} waxwing_span;

typedef struct waxwing_match {
  lua_State *L;
  const waxwing_program *program;
  const char *start, *end; /* of the subject */
  size_t steps;            /* since they were last charged */
  waxwing_span whole;      /* the match that was found last */
  waxwing_span captures[WAXWING_MOST_CAPTURES];
} waxwing_match;

/* Program and subject have to be kept while the match is used. */
void waxwing_match_begin(waxwing_match *match, lua_State *L, const waxwing_program *program,
                         const char *subject, size_t count);

/* [-0, +0, v]  Finds the first match that begins at `from` or, unless it is anchored, later. One
   that ends at `last` does not count; NULL: all do. */
bool waxwing_match_next(waxwing_match *match, const char *from, const char *last);

/* [-0, +0, v]  Charges the steps since the last time. */
void waxwing_match_charge(waxwing_match *match);

/* [-0, +0, v]  What a capture has, of which NULL is the start if it is a position; the first one is
   the whole match if there is none. */
waxwing_span waxwing_match_capture(waxwing_match *match, int index);

/* [-0, +1, v] */
void waxwing_match_push_capture(waxwing_match *match, int index);

/* [-0, +n, v]  All captures. If there is none, the whole match if that is wanted. */
int waxwing_match_push_captures(waxwing_match *match, bool wants_whole);

/* [-0, +1, -]  A position in the subject, counted from 1. */
void waxwing_match_push_position(const waxwing_match *match, const char *place);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Lua's patterns, each step of which is charged to the call.
 */
#ifndef WAXWING_MATCH_H
#define WAXWING_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "waxwing_budget.h"

#define WAXWING_MOST_CAPTURES 32

/* What `len` of a capture says besides a length. */
#define WAXWING_CAPTURE_OPEN (-1)
#define WAXWING_CAPTURE_POSITION (-2)

/* What a match must begin with. */
typedef struct waxwing_lead {
  enum { WAXWING_LEAD_ANY, WAXWING_LEAD_CHARACTER, WAXWING_LEAD_CLASS } kind;
  int code; /* the character, or the letter of the class */
} waxwing_lead;

typedef struct waxwing_match {
  const char *start; /* the subject */
  const char *end;
  const char *pattern_end;
  lua_State *L;
  waxwing_lead lead;
  size_t steps; /* since they were last charged */
  int depth;    /* of recursion, that is left */
  unsigned char level;
  struct {
    const char *init;
    ptrdiff_t len;
  } captures[WAXWING_MOST_CAPTURES];
} waxwing_match;

/* The pattern without its anchor. */
void waxwing_match_prepare(waxwing_match *match, lua_State *L, const char *subject,
                           size_t subject_count, const char *pattern, size_t pattern_count);

/* [-0, +0, v]  Where the match that begins at `subject` ends; NULL: there is none. */
const char *waxwing_match_at(waxwing_match *match, const char *subject, const char *pattern);

/* [-0, +0, v]  Charges the steps since the last time. */
void waxwing_match_charge(waxwing_match *match);

/* [-0, +(0|1), v]  The length of a capture, and where it begins; or WAXWING_CAPTURE_POSITION, and
   pushes it. The whole match is from `from` to `to`: it stands for the first if there is none. */
ptrdiff_t waxwing_match_capture(waxwing_match *match, int index, const char *from, const char *to,
                                const char **capture);

/* [-0, +1, v] */
void waxwing_match_push_capture(waxwing_match *match, int index, const char *from, const char *to);

/* [-0, +n, v]  All captures, or if there is none and `from` is not NULL the whole match. */
int waxwing_match_push_captures(waxwing_match *match, const char *from, const char *to);

#endif

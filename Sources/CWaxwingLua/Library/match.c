/* SPDX-License-Identifier: MIT
 *
 * The machine that runs the programs of patterns.
 *
 * It keeps the choices that it may come back to in an array: an instruction leaves one at most, so
 * there are never many. Captures are not among them. What has been written to one is read by
 * later instructions only, and these run after it has been written again.
 */
#include "wax_library_match.h"

#include <lauxlib.h>
#include <string.h>

#define STEPS_PER_CHARGE 256

/* Choices and captures that one match may have begun. Lua's own has as many C functions in one
   another, for the same, and the same message if that is not enough. */
#define MAX_DEPTH 199

/* {==================================================================
** Steps
** =================================================================== */

void wax_library_match_consume(wax_library_match *match) {
  size_t steps = match->steps;
  match->steps = 0;
  wax_lua_budget_consume(match->L, steps);
}

static inline void spend(wax_library_match *match, size_t steps) {
  match->steps += steps;
  if (__builtin_expect(match->steps >= STEPS_PER_CHARGE, 0)) wax_library_match_consume(match);
}

/* }================================================================== */

/* {==================================================================
** Single bytes
** =================================================================== */

/* The machine's functions are part of `run`: its registers are the processor's. */
#define PART static inline __attribute__((always_inline))

PART bool has(const wax_library_instruction *at, char byte) {
  if (at->kind == WAX_LIBRARY_MATCH_BYTE) return (uint8_t)byte == at->byte;
  return at->kind == WAX_LIBRARY_MATCH_ANY || wax_library_set_has(at->set, (unsigned char)byte);
}

/* Behind the bytes from `s` on that match. */
PART const char *skip(const wax_library_instruction *at, const char *s, const char *end) {
  if (at->kind == WAX_LIBRARY_MATCH_ANY) return end;
  if (at->kind == WAX_LIBRARY_MATCH_BYTE) {
    while (s < end && (uint8_t)*s == at->byte) s++;
  } else {
    const wax_library_set *set = at->set;
    while (s < end && wax_library_set_has(set, (unsigned char)*s)) s++;
  }
  return s;
}

/* }================================================================== */

/* {==================================================================
** The machine
** =================================================================== */

/* A place to come back to: a repetition may end there instead, an option's byte be left out. */
typedef struct choice {
  const wax_library_instruction *at;
  const char *least; /* of a repetition of most: not before that */
  const char *place; /* that was tried last */
} choice;

typedef struct machine {
  wax_library_match *match;
  const wax_library_instruction *at;
  const char *place; /* in the subject; NULL: the last instruction has failed */
  const char *end;   /* of the subject */
  choice *top;       /* behind the last one */
  choice *bottom;
} machine;

PART void fail(machine *m) { m->place = NULL; }

PART void go_on(machine *m, const char *place) {
  m->place = place;
  m->at++;
}

/* Goes on at `place`, or not at all. */
PART void go_on_if(machine *m, bool matches, const char *place) {
  m->place = matches ? place : NULL;
  m->at++;
}

PART void check_depth(const machine *m) {
  if (__builtin_expect(m->top - m->bottom + m->at->captures >= MAX_DEPTH, 0))
    luaL_error(m->match->L, "pattern too complex");
}

PART void push(machine *m, const char *least, const char *place) {
  check_depth(m);
  *m->top++ = (choice){m->at, least, place};
}

/* {==================================================================
** Choices
** =================================================================== */

/* False: it is of no use to go on at `place` behind a repetition. */
PART bool may_follow(const machine *m, const wax_library_instruction *at, const char *place) {
  const wax_library_instruction *next = &at[at->next];
  return at->next == 0 || (place < m->end && has(next, *place));
}

/* Goes on with one byte less. */
PART void retry_most(machine *m, choice *choice) {
  const char *place = choice->place, *before = place;
  bool found = false;
  while (place > choice->least && !(found = may_follow(m, choice->at, --place))) {
  }
  spend(m->match, (size_t)(before - place));
  choice->place = place;
  if (!found) {
    m->top--;
    return;
  }
  m->at = choice->at + 1;
  m->place = place;
}

/* The first place from `place` on at which `next` may match, if any byte may be skipped. */
PART const char *find_byte(const machine *m, const wax_library_instruction *next,
                           const char *place) {
  const char *found = memchr(place, next->byte, (size_t)(m->end - place));
  return found ? found : m->end;
}

/* Behind the bytes that are skipped from `place` on: as few as what follows allows. */
PART const char *skip_fewest(const machine *m, const wax_library_instruction *at,
                             const char *place) {
  const wax_library_instruction *next = &at[at->next];
  if (at->kind == WAX_LIBRARY_MATCH_ANY && at->next && next->kind == WAX_LIBRARY_MATCH_BYTE)
    return find_byte(m, next, place);
  while (!may_follow(m, at, place) && place < m->end && has(at, *place)) place++;
  return place;
}

/* Goes on with one byte more. */
PART void retry_fewest(machine *m, choice *choice) {
  const char *place = choice->place;
  if (place == m->end || !has(choice->at, *place)) {
    m->top--;
    return;
  }
  place = skip_fewest(m, choice->at, place + 1);
  spend(m->match, (size_t)(place - choice->place));
  choice->place = place;
  m->at = choice->at + 1;
  m->place = place;
}

/* Leaves out the byte. */
PART void retry_optional(machine *m, choice *choice) {
  m->top--;
  m->at = choice->at + 1;
  m->place = choice->place;
}

/* There is a choice. */
PART void retry(machine *m) {
  choice *choice = m->top - 1;
  spend(m->match, 1);
  switch (choice->at->operation) {
    case WAX_LIBRARY_OP_OPTIONAL: retry_optional(m, choice); break;
    case WAX_LIBRARY_OP_LAZY: retry_fewest(m, choice); break;
    default: retry_most(m, choice);
  }
}

/* }================================================================== */

/* {==================================================================
** Instructions
** =================================================================== */

PART void step_text(machine *m) {
  size_t count = m->at->count;
  if ((size_t)(m->end - m->place) < count || (uint8_t)*m->place != m->at->byte) {
    fail(m);
    return;
  }
  spend(m->match, count >> 4);
  go_on_if(m, count == 1 || memcmp(m->place, m->at->text, count) == 0, m->place + count);
}

PART bool has_single(const machine *m) { return m->place < m->end && has(m->at, *m->place); }

PART void step_optional(machine *m) {
  if (has_single(m)) {
    push(m, NULL, m->place);
    go_on(m, m->place + 1);
  } else {
    go_on(m, m->place);
  }
}

/* The places to go on at are those from `least` on. */
PART void step_most(machine *m, const char *least) {
  const char *behind = skip(m->at, least, m->end);
  spend(m->match, (size_t)(behind - least));
  push(m, least, behind);
  if (may_follow(m, m->at, behind))
    go_on(m, behind);
  else
    fail(m);
}

PART void step_some(machine *m) {
  if (has_single(m))
    step_most(m, m->place + 1);
  else
    fail(m);
}

PART void step_any_number(machine *m) {
  if (has_single(m))
    step_most(m, m->place);
  else
    go_on(m, m->place);
}

PART void step_fewest(machine *m) {
  if (!has_single(m)) {
    go_on(m, m->place);
    return;
  }
  const char *place = skip_fewest(m, m->at, m->place);
  spend(m->match, (size_t)(place - m->place));
  push(m, NULL, place);
  go_on(m, place);
}

PART void step_open(machine *m) {
  check_depth(m);
  m->match->captures[m->at->count].start = m->place;
  go_on(m, m->place);
}

PART void step_close(machine *m) {
  check_depth(m);
  m->match->captures[m->at->count].end = m->place;
  go_on(m, m->place);
}

PART void step_again(machine *m) {
  wax_library_span span = m->match->captures[m->at->count];
  if (m->match->program->positions >> m->at->count & 1) {
    fail(m);
    return;
  }
  size_t count = (size_t)(span.end - span.start);
  bool fits = (size_t)(m->end - m->place) >= count;
  if (fits) spend(m->match, count >> 4);
  go_on_if(m, fits && memcmp(span.start, m->place, count) == 0, m->place + count);
}

/* The end of the balanced text that begins here; NULL: it has none. */
PART const char *find_balance(const machine *m) {
  size_t depth = 1;
  for (const char *s = m->place + 1; s < m->end; s++) {
    if ((uint8_t)*s == m->at->other) {
      if (--depth == 0) return s + 1;
    } else if ((uint8_t)*s == m->at->byte) {
      depth++;
    }
  }
  return NULL;
}

PART void step_balanced(machine *m) {
  if (m->place == m->end || (uint8_t)*m->place != m->at->byte) {
    fail(m);
    return;
  }
  const char *behind = find_balance(m);
  spend(m->match, (size_t)((behind ? behind : m->end) - m->place));
  go_on(m, behind);
}

/* Outside of the subject are zeros. */
PART void step_frontier(machine *m) {
  char before = m->place == m->match->start ? '\0' : m->place[-1];
  char here = m->place == m->end ? '\0' : *m->place;
  const wax_library_set *set = m->at->set;
  go_on_if(m,
           !wax_library_set_has(set, (unsigned char)before) &&
               wax_library_set_has(set, (unsigned char)here),
           m->place);
}

static void raise_malformed(const machine *m) {
  luaL_error(m->match->L, m->at->message, (int)m->at->count);
}

PART void step(machine *m) {
  spend(m->match, 1);
  switch (m->at->operation) {
    case WAX_LIBRARY_OP_TEXT: step_text(m); break;
    case WAX_LIBRARY_OP_SINGLE: go_on_if(m, has_single(m), m->place + 1); break;
    case WAX_LIBRARY_OP_OPTIONAL: step_optional(m); break;
    case WAX_LIBRARY_OP_ONE_OR_MORE: step_some(m); break;
    case WAX_LIBRARY_OP_ZERO_OR_MORE: step_any_number(m); break;
    case WAX_LIBRARY_OP_LAZY: step_fewest(m); break;
    case WAX_LIBRARY_OP_CAPTURE_START:
    case WAX_LIBRARY_OP_POSITION: step_open(m); break;
    case WAX_LIBRARY_OP_CAPTURE_END: step_close(m); break;
    case WAX_LIBRARY_OP_BACK_REFERENCE: step_again(m); break;
    case WAX_LIBRARY_OP_BALANCED: step_balanced(m); break;
    case WAX_LIBRARY_OP_FRONTIER: step_frontier(m); break;
    case WAX_LIBRARY_OP_AT_END: go_on_if(m, m->place == m->end, m->place); break;
    default: raise_malformed(m);
  }
}

/* }================================================================== */

/* The end of the match that begins at `from`; NULL: there is none. */
static const char *run(wax_library_match *match, const char *from) {
  choice choices[MAX_DEPTH];
  machine m = {match, match->program->code, from, match->end, choices, choices};
  while (m.at->operation != WAX_LIBRARY_OP_END || !m.place) {
    if (m.place)
      step(&m);
    else if (m.top == m.bottom)
      return NULL;
    else
      retry(&m);
  }
  return m.place;
}

/* }================================================================== */

/* {==================================================================
** Places where a match may begin
** =================================================================== */

static const char *find_first_byte(wax_library_match *match, const char *from) {
  const char *end = match->end;
  const char *start = memchr(from, match->program->first_byte, (size_t)(end - from));
  spend(match, (size_t)((start ? start : end) - from) >> 4);
  return start;
}

static const char *find_in_first(wax_library_match *match, const char *from) {
  const wax_library_set *first = &match->program->first;
  const char *end = match->end, *start = from;
  while (start < end && !wax_library_set_has(first, (unsigned char)*start)) start++;
  spend(match, (size_t)(start - from));
  return start < end ? start : NULL;
}

/* The first from `from` on; NULL: there is none. */
static const char *find_start(wax_library_match *match, const char *from) {
  switch (match->program->first_kind) {
    case WAX_LIBRARY_MATCH_BYTE: return find_first_byte(match, from);
    case WAX_LIBRARY_MATCH_SET: return find_in_first(match, from);
    default: return from;
  }
}

void wax_library_match_begin(wax_library_match *match, lua_State *L,
                             const wax_library_program *program, const char *subject,
                             size_t count) {
  match->L = L;
  match->program = program;
  match->start = subject;
  match->end = subject + count;
  match->steps = 0;
}

/* True: there is one that begins at `from` and does not end at `last`. */
static bool matches(wax_library_match *match, const char *from, const char *last) {
  spend(match, 1);
  const char *end = run(match, from);
  match->whole = (wax_library_span){from, end};
  return end && end != last;
}

bool wax_library_match_next(wax_library_match *match, const char *from, const char *last) {
  if (match->program->is_anchored) return matches(match, from, last);
  while ((from = find_start(match, from)) != NULL) {
    if (matches(match, from, last)) return true;
    if (from++ == match->end) break;
  }
  return false;
}

/* }================================================================== */

/* {==================================================================
** Captures
** =================================================================== */

void wax_library_match_push_position(const wax_library_match *match, const char *place) {
  lua_pushinteger(match->L, place - match->start + 1);
}

wax_library_span wax_library_match_capture(wax_library_match *match, int index) {
  const wax_library_program *program = match->program;
  if (index < program->captures) {
    if (program->unfinished >> index & 1) luaL_error(match->L, "unfinished capture");
    wax_library_span span = match->captures[index];
    return program->positions >> index & 1 ? (wax_library_span){NULL, span.start} : span;
  }
  if (index != 0) luaL_error(match->L, "invalid capture index %%%d", index + 1);
  return match->whole;
}

void wax_library_match_push_capture(wax_library_match *match, int index) {
  wax_library_span span = wax_library_match_capture(match, index);
  if (!span.start) {
    wax_library_match_push_position(match, span.end);
    return;
  }
  size_t count = (size_t)(span.end - span.start);
  spend(match, count >> 4);
  lua_pushlstring(match->L, span.start, count);
}

int wax_library_match_push_captures(wax_library_match *match, bool wants_whole) {
  int count = match->program->captures == 0 && wants_whole ? 1 : match->program->captures;
  luaL_checkstack(match->L, count, "too many captures");
  for (int i = 0; i < count; i++) wax_library_match_push_capture(match, i);
  return count;
}

/* }================================================================== */

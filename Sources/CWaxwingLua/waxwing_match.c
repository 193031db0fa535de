/* SPDX-License-Identifier: MIT
 *
 * Lua's patterns, each step of which is charged to the call.
 *
 * The algorithm is that of lstrlib.c of Lua 5.4, so that results and errors are the same to the
 * last detail: Copyright (C) 1994-2022 Lua.org, PUC-Rio, under the MIT license. Added are the
 * steps: one for each item of the pattern that is looked at, each character that a repetition goes
 * over, and each 16 bytes of a set or of a capture that is compared.
 */
#include "waxwing_match.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

#define ESCAPE '%'
#define MOST_DEPTH 200
#define STEPS_PER_CHARGE 256

/* {==================================================================
** Steps
** =================================================================== */

void waxwing_match_charge(waxwing_match *match) {
  size_t steps = match->steps;
  match->steps = 0;
  waxwing_charge(match->L, steps);
}

static inline void spend(waxwing_match *match, size_t steps) {
  match->steps += steps;
  if (__builtin_expect(match->steps >= STEPS_PER_CHARGE, 0)) waxwing_match_charge(match);
}

/* }================================================================== */

/* {==================================================================
** Single characters
** =================================================================== */

static int code(char character) { return (unsigned char)character; }

/* Where the set ends that begins at `p`. */
static const char *set_end(waxwing_match *match, const char *p) {
  p++;
  if (*p == '^') p++;
  do {
    if (p == match->pattern_end) luaL_error(match->L, "malformed pattern (missing ']')");
    if (*p++ == ESCAPE && p < match->pattern_end) p++;
  } while (*p != ']');
  return p + 1;
}

/* Where the item of the pattern ends that begins at `p`. */
static inline const char *item_end(waxwing_match *match, const char *p) {
  if (*p == '[') return set_end(match, p);
  if (*p != ESCAPE) return p + 1;
  if (p + 1 == match->pattern_end) luaL_error(match->L, "malformed pattern (ends with '%%')");
  return p + 2;
}

static bool is_in_class(int c, int class) {
  int result;
  switch (tolower(class)) {
    case 'a': result = isalpha(c); break;
    case 'c': result = iscntrl(c); break;
    case 'd': result = isdigit(c); break;
    case 'g': result = isgraph(c); break;
    case 'l': result = islower(c); break;
    case 'p': result = ispunct(c); break;
    case 's': result = isspace(c); break;
    case 'u': result = isupper(c); break;
    case 'w': result = isalnum(c); break;
    case 'x': result = isxdigit(c); break;
    case 'z': result = c == 0; break; /* Lua 5.1's */
    default: return class == c;
  }
  return isupper(class) ? !result : !!result;
}

/* The set from `p`, its bracket, to `last`, its other bracket. */
static bool is_in_set(int c, const char *p, const char *last) {
  bool found = true;
  if (p[1] == '^') {
    found = false;
    p++;
  }
  while (++p < last) {
    if (*p == ESCAPE) {
      p++;
      if (is_in_class(c, code(*p))) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if (code(p[-2]) <= c && c <= code(*p)) return found;
    } else if (code(*p) == c) {
      return found;
    }
  }
  return !found;
}

static inline bool is_single(waxwing_match *match, const char *s, const char *p, const char *ep) {
  if (s >= match->end) return false;
  switch (*p) {
    case '.': return true;
    case ESCAPE: return is_in_class(code(*s), code(p[1]));
    case '[': return is_in_set(code(*s), p, ep - 1);
    default: return *p == *s;
  }
}

/* Past the characters from `s` on that belong to a class. */
static const char *skip_class(const char *s, const char *end, int class) {
#define SKIP(test)                                                                                 \
  while (s < end && (test)) s++;                                                                   \
  return s
  switch (class) {
    case 'a': SKIP(isalpha(code(*s)));
    case 'd': SKIP(isdigit(code(*s)));
    case 's': SKIP(isspace(code(*s)));
    case 'S': SKIP(!isspace(code(*s)));
    case 'w': SKIP(isalnum(code(*s)));
    default: SKIP(is_in_class(code(*s), class));
  }
#undef SKIP
}

/* What looking at one character with this item costs. */
static inline size_t item_cost(const char *p, const char *ep) {
  return 1 + ((size_t)(ep - p) >> 4);
}

/* }================================================================== */

/* {==================================================================
** Items
** =================================================================== */

static const char *go(waxwing_match *match, const char *s, const char *p);

static const char *balanced(waxwing_match *match, const char *s, const char *p) {
  if (p >= match->pattern_end - 1)
    luaL_error(match->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= match->end || *s != *p) return NULL;
  int opening = *p;
  int closing = p[1];
  int open = 1;
  while (++s < match->end) {
    spend(match, 1);
    if (*s == closing) {
      if (--open == 0) return s + 1;
    } else if (*s == opening) {
      open++;
    }
  }
  return NULL;
}

/* Past the characters from `s` on that match the item, which are charged. */
static const char *skip(waxwing_match *match, const char *s, const char *p, const char *ep) {
  const char *at = s;
  switch (*p) {
    case '[':
      for (size_t cost = item_cost(p, ep); is_single(match, at, p, ep); at++) spend(match, cost);
      return at;
    case '.': at = match->end; break;
    case ESCAPE: at = skip_class(s, match->end, code(p[1])); break;
    default:
      while (at < match->end && *at == *p) at++;
  }
  spend(match, (size_t)(at - s));
  return at;
}

/* What a match from `p` on must begin with, as far as it is seen without matching: a character or a
   class that is neither repeated nor left out. */
static waxwing_lead lead_of(const waxwing_match *match, const char *p) {
  waxwing_lead lead = {WAXWING_LEAD_ANY, 0};
  if (p == match->pattern_end || strchr(".[()$", *p)) return lead;
  bool is_class = *p == ESCAPE;
  if (is_class) {
    p++;
    if (p == match->pattern_end || *p == 'b' || *p == 'f' || isdigit(code(*p))) return lead;
  }
  if (p[1] == '*' || p[1] == '?' || p[1] == '-') return lead; /* a zero at the end */
  lead.kind = is_class && isalpha(code(*p)) ? WAXWING_LEAD_CLASS : WAXWING_LEAD_CHARACTER;
  lead.code = (unsigned char)*p;
  return lead;
}

/* Whether `go` would come back at once from `s`. */
static inline bool is_other(const waxwing_match *match, waxwing_lead lead, const char *s) {
  if (lead.kind == WAXWING_LEAD_ANY) return false;
  if (s >= match->end) return true;
  if (lead.kind == WAXWING_LEAD_CHARACTER) return code(*s) != lead.code;
  return !is_in_class(code(*s), lead.code);
}

/* Where a match ends that goes on from `s`, for a repetition that has such places to choose from.
 */
static inline const char *go_on(waxwing_match *match, waxwing_lead lead, const char *s,
                                const char *p) {
  if (match->depth > 0 && is_other(match, lead, s)) {
    spend(match, 1);
    return NULL;
  }
  return go(match, s, p);
}

static const char *most(waxwing_match *match, const char *s, const char *p, const char *ep) {
  const char *end = skip(match, s, p, ep);
  waxwing_lead lead = lead_of(match, ep + 1);
  for (; end >= s; end--) {
    const char *result = go_on(match, lead, end, ep + 1);
    if (result) return result;
  }
  return NULL;
}

static const char *fewest(waxwing_match *match, const char *s, const char *p, const char *ep) {
  size_t cost = item_cost(p, ep);
  waxwing_lead lead = lead_of(match, ep + 1);
  for (;;) {
    const char *result = go_on(match, lead, s, ep + 1);
    if (result) return result;
    spend(match, cost);
    if (!is_single(match, s, p, ep)) return NULL;
    s++;
  }
}

static const char *begin_capture(waxwing_match *match, const char *s, const char *p,
                                 ptrdiff_t kind) {
  int level = match->level;
  if (level >= WAXWING_MOST_CAPTURES) luaL_error(match->L, "too many captures");
  match->captures[level].init = s;
  match->captures[level].len = kind;
  match->level = (unsigned char)(level + 1);
  const char *result = go(match, s, p);
  if (!result) match->level--;
  return result;
}

static int open_capture(waxwing_match *match) {
  for (int level = match->level - 1; level >= 0; level--) {
    if (match->captures[level].len == WAXWING_CAPTURE_OPEN) return level;
  }
  return luaL_error(match->L, "invalid pattern capture");
}

static const char *end_capture(waxwing_match *match, const char *s, const char *p) {
  int level = open_capture(match);
  match->captures[level].len = s - match->captures[level].init;
  const char *result = go(match, s, p);
  if (!result) match->captures[level].len = WAXWING_CAPTURE_OPEN;
  return result;
}

static const char *same_again(waxwing_match *match, const char *s, int digit) {
  int level = digit - '1';
  if (level < 0 || level >= match->level || match->captures[level].len == WAXWING_CAPTURE_OPEN)
    luaL_error(match->L, "invalid capture index %%%d", level + 1);
  size_t count = (size_t)match->captures[level].len;
  if ((size_t)(match->end - s) < count) return NULL;
  spend(match, count >> 4);
  return memcmp(match->captures[level].init, s, count) == 0 ? s + count : NULL;
}

/* Whether a run of characters of the set at `p` begins at `s`. */
static bool is_frontier(waxwing_match *match, const char *s, const char *p, const char **end) {
  if (*p != '[') luaL_error(match->L, "missing '[' after '%%f' in pattern");
  *end = item_end(match, p);
  spend(match, item_cost(p, *end));
  char previous = s == match->start ? '\0' : s[-1];
  return !is_in_set(code(previous), p, *end - 1) && is_in_set(code(*s), p, *end - 1);
}

/* }================================================================== */

/* {==================================================================
** Matching
** =================================================================== */

typedef enum progress { ENDED, GOES_ON } progress;

/* The steps are part of `go`: subject and pattern stay in registers. */

/* A single character, perhaps repeated. */
static inline __attribute__((always_inline)) progress step_single(waxwing_match *match,
                                                                  const char **s, const char **p) {
  const char *ep = item_end(match, *p);
  spend(match, (size_t)(ep - *p) >> 4);
  if (!is_single(match, *s, *p, ep)) {
    if (*ep == '*' || *ep == '?' || *ep == '-') {
      *p = ep + 1;
      return GOES_ON;
    }
    *s = NULL;
    return ENDED;
  }
  const char *result;
  switch (*ep) {
    case '?':
      result = go(match, *s + 1, ep + 1);
      if (result) {
        *s = result;
        return ENDED;
      }
      *p = ep + 1;
      return GOES_ON;
    case '+': *s = most(match, *s + 1, *p, ep); return ENDED;
    case '*': *s = most(match, *s, *p, ep); return ENDED;
    case '-': *s = fewest(match, *s, *p, ep); return ENDED;
    default:
      *s += 1;
      *p = ep;
      return GOES_ON;
  }
}

static inline __attribute__((always_inline)) progress step_escape(waxwing_match *match,
                                                                  const char **s, const char **p) {
  char kind = (*p)[1];
  const char *end;
  if (kind == 'b') {
    *s = balanced(match, *s, *p + 2);
    *p += 4;
  } else if (kind == 'f') {
    if (!is_frontier(match, *s, *p + 2, &end)) *s = NULL;
    *p = end;
  } else if (kind >= '0' && kind <= '9') {
    *s = same_again(match, *s, code(kind));
    *p += 2;
  } else {
    return step_single(match, s, p);
  }
  return *s ? GOES_ON : ENDED;
}

static inline __attribute__((always_inline)) progress step(waxwing_match *match, const char **s,
                                                           const char **p) {
  spend(match, 1);
  switch (**p) {
    case '(':
      if ((*p)[1] == ')')
        *s = begin_capture(match, *s, *p + 2, WAXWING_CAPTURE_POSITION);
      else
        *s = begin_capture(match, *s, *p + 1, WAXWING_CAPTURE_OPEN);
      return ENDED;
    case ')': *s = end_capture(match, *s, *p + 1); return ENDED;
    case '$':
      if (*p + 1 != match->pattern_end) return step_single(match, s, p);
      if (*s != match->end) *s = NULL;
      return ENDED;
    case ESCAPE: return step_escape(match, s, p);
    default: return step_single(match, s, p);
  }
}

static const char *go(waxwing_match *match, const char *s, const char *p) {
  if (match->depth-- == 0) luaL_error(match->L, "pattern too complex");
  while (p != match->pattern_end && step(match, &s, &p) == GOES_ON) {
  }
  match->depth++;
  return s;
}

void waxwing_match_prepare(waxwing_match *match, lua_State *L, const char *subject,
                           size_t subject_count, const char *pattern, size_t pattern_count) {
  match->L = L;
  match->depth = MOST_DEPTH;
  match->steps = 0;
  match->level = 0;
  match->start = subject;
  match->end = subject + subject_count;
  match->pattern_end = pattern + pattern_count;
  match->lead = lead_of(match, pattern);
}

const char *waxwing_match_at(waxwing_match *match, const char *subject, const char *pattern) {
  match->level = 0;
  match->depth = MOST_DEPTH; /* an error may have come out of the last one */
  spend(match, 1);
  return is_other(match, match->lead, subject) ? NULL : go(match, subject, pattern);
}

/* }================================================================== */

/* {==================================================================
** Captures
** =================================================================== */

ptrdiff_t waxwing_match_capture(waxwing_match *match, int index, const char *from, const char *to,
                                const char **capture) {
  if (index >= match->level) {
    if (index != 0) luaL_error(match->L, "invalid capture index %%%d", index + 1);
    *capture = from;
    return to - from;
  }
  ptrdiff_t count = match->captures[index].len;
  *capture = match->captures[index].init;
  if (count == WAXWING_CAPTURE_OPEN) luaL_error(match->L, "unfinished capture");
  if (count == WAXWING_CAPTURE_POSITION) lua_pushinteger(match->L, *capture - match->start + 1);
  return count;
}

void waxwing_match_push_capture(waxwing_match *match, int index, const char *from, const char *to) {
  const char *capture;
  ptrdiff_t count = waxwing_match_capture(match, index, from, to, &capture);
  if (count != WAXWING_CAPTURE_POSITION) {
    spend(match, (size_t)count >> 4);
    lua_pushlstring(match->L, capture, (size_t)count);
  }
}

int waxwing_match_push_captures(waxwing_match *match, const char *from, const char *to) {
  int count = match->level == 0 && from ? 1 : match->level;
  luaL_checkstack(match->L, count, "too many captures");
  for (int i = 0; i < count; i++) waxwing_match_push_capture(match, i, from, to);
  return count;
}

/* }================================================================== */

/* SPDX-License-Identifier: MIT
 *
 * `string.find`, `match`, `gmatch` and `gsub`, as in lstrlib.c of Lua 5.4: Copyright (C) 1994-2022
 * Lua.org, PUC-Rio, under the MIT license. What they cost is charged to the call, plain text is
 * looked for in linear time, and what `gsub` makes has a limit.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>

#include "waxwing_library.h"
#include "waxwing_match.h"

#define ESCAPE '%'
#define SPECIALS "^$*+?.([%-"

/* Counted from 0, from an argument that counts from 1 or, negative, from the end. */
static size_t start_of(lua_State *L, int argument, size_t count) {
  lua_Integer position = luaL_optinteger(L, argument, 1);
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)count) return 0;
  return (size_t)((lua_Integer)count + position);
}

/* {==================================================================
** find and match
** =================================================================== */

/* Zeros stand in patterns for themselves. */
static bool is_plain(const char *pattern, size_t count) {
  for (size_t at = 0; at <= count; at += strlen(pattern + at) + 1) {
    if (strpbrk(pattern + at, SPECIALS)) return false;
  }
  return true;
}

/* Short ones are found sooner without preparing anything. */
#define SHORT 64

static const char *search(const char *in, size_t count, const char *text, size_t text_count) {
  if (count > SHORT || text_count == 0) return memmem(in, count, text, text_count);
  while (count >= text_count) {
    const char *found = memchr(in, *text, count - text_count + 1);
    if (!found || memcmp(found, text, text_count) == 0) return found;
    count -= (size_t)(found + 1 - in);
    in = found + 1;
  }
  return NULL;
}

static int find_plain(lua_State *L, const char *subject, size_t count, size_t start,
                      const char *text, size_t text_count) {
  const char *found = search(subject + start, count - start, text, text_count);
  size_t end = found ? (size_t)(found - subject) + text_count : count;
  waxwing_charge(L, (end - start + text_count) >> 4);
  if (!found) {
    luaL_pushfail(L);
    return 1;
  }
  lua_pushinteger(L, found - subject + 1);
  lua_pushinteger(L, (lua_Integer)end);
  return 2;
}

static int push_found(waxwing_match *match, const char *from, const char *to, bool is_find) {
  int count;
  if (is_find) {
    lua_pushinteger(match->L, from - match->start + 1);
    lua_pushinteger(match->L, to - match->start);
    count = waxwing_match_push_captures(match, NULL, NULL) + 2;
  } else {
    count = waxwing_match_push_captures(match, from, to);
  }
  waxwing_match_charge(match);
  return count;
}

static int find_pattern(lua_State *L, waxwing_match *match, const char *subject,
                        const char *pattern, bool is_anchored, bool is_find) {
  do {
    const char *end = waxwing_match_at(match, subject, pattern);
    if (end) return push_found(match, subject, end, is_find);
  } while (subject++ < match->end && !is_anchored);
  waxwing_match_charge(match);
  luaL_pushfail(L);
  return 1;
}

static int find_or_match(lua_State *L, bool is_find) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  size_t start = start_of(L, 3, count);
  if (start > count) {
    luaL_pushfail(L);
    return 1;
  }
  if (is_find && (lua_toboolean(L, 4) || is_plain(pattern, pattern_count)))
    return find_plain(L, subject, count, start, pattern, pattern_count);
  waxwing_match match;
  bool is_anchored = *pattern == '^';
  if (is_anchored) {
    pattern++;
    pattern_count--;
  }
  waxwing_match_prepare(&match, L, subject, count, pattern, pattern_count);
  return find_pattern(L, &match, subject + start, pattern, is_anchored, is_find);
}

static int find(lua_State *L) { return find_or_match(L, true); }

static int match(lua_State *L) { return find_or_match(L, false); }

/* }================================================================== */

/* {==================================================================
** gmatch
** =================================================================== */

typedef struct matches {
  const char *subject; /* from here on */
  const char *pattern;
  const char *last; /* where the last match ended */
  waxwing_match match;
} matches;

/* Its upvalues are the subject, the pattern and the userdata. */
static int next_match(lua_State *L) {
  matches *all = lua_touserdata(L, lua_upvalueindex(3));
  all->match.L = L;
  for (const char *from = all->subject; from <= all->match.end; from++) {
    const char *end = waxwing_match_at(&all->match, from, all->pattern);
    if (end && end != all->last) {
      all->subject = all->last = end;
      int count = waxwing_match_push_captures(&all->match, from, end);
      waxwing_match_charge(&all->match);
      return count;
    }
  }
  waxwing_match_charge(&all->match);
  return 0;
}

static int gmatch(lua_State *L) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  size_t start = start_of(L, 3, count);
  lua_settop(L, 2);
  matches *all = lua_newuserdatauv(L, sizeof *all, 0);
  waxwing_match_prepare(&all->match, L, subject, count, pattern, pattern_count);
  all->subject = subject + (start > count ? count + 1 : start);
  all->pattern = pattern;
  all->last = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** gsub
** =================================================================== */

static void check_size(waxwing_match *match, size_t count) {
  if (count > WAXWING_MOST_BYTES) waxwing_too_large(match->L, "string.gsub");
}

static void add(waxwing_match *match, luaL_Buffer *buffer, const char *text, size_t count) {
  check_size(match, luaL_bufflen(buffer) + count);
  luaL_addlstring(buffer, text, count);
  match->steps += count >> 4; /* charged with the next one */
}

static void add_top(waxwing_match *match, luaL_Buffer *buffer) {
  size_t count;
  lua_tolstring(match->L, -1, &count);
  check_size(match, luaL_bufflen(buffer) + count);
  match->steps += count >> 4;
  luaL_addvalue(buffer);
}

/* What `%` and the character at `p` stand for in the replacement. */
static void add_escape(waxwing_match *match, luaL_Buffer *buffer, const char *p, const char *from,
                       const char *to) {
  if (*p == ESCAPE) {
    luaL_addchar(buffer, ESCAPE);
  } else if (*p == '0') {
    add(match, buffer, from, (size_t)(to - from));
  } else if (isdigit((unsigned char)*p)) {
    const char *capture;
    ptrdiff_t count = waxwing_match_capture(match, *p - '1', from, to, &capture);
    if (count == WAXWING_CAPTURE_POSITION)
      luaL_addvalue(buffer);
    else
      add(match, buffer, capture, (size_t)count);
  } else {
    luaL_error(match->L, "invalid use of '%c' in replacement string", ESCAPE);
  }
}

static void add_text(waxwing_match *match, luaL_Buffer *buffer, const char *from, const char *to) {
  size_t count;
  const char *text = lua_tolstring(match->L, 3, &count);
  const char *p;
  while ((p = memchr(text, ESCAPE, count)) != NULL) {
    add(match, buffer, text, (size_t)(p - text));
    p++;
    add_escape(match, buffer, p, from, to);
    match->steps++;
    count -= (size_t)(p + 1 - text);
    text = p + 1;
  }
  add(match, buffer, text, count);
}

/* Whether that changes the string. */
static bool add_replacement(waxwing_match *match, luaL_Buffer *buffer, const char *from,
                            const char *to, int type) {
  lua_State *L = match->L;
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    int count = waxwing_match_push_captures(match, from, to);
    lua_call(L, count, 1);
  } else if (type == LUA_TTABLE) {
    waxwing_match_push_capture(match, 0, from, to);
    lua_gettable(L, 3);
  } else {
    add_text(match, buffer, from, to);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    add(match, buffer, from, (size_t)(to - from));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  add_top(match, buffer);
  return true;
}

/* Goes through the subject; returns how often it matched. */
static lua_Integer replace(waxwing_match *match, luaL_Buffer *buffer, const char **rest,
                           const char *pattern, lua_Integer most, bool is_anchored,
                           bool *is_changed) {
  const char *subject = match->start;
  const char *last = NULL;
  int type = lua_type(match->L, 3);
  lua_Integer count = 0;
  while (count < most) {
    const char *end = waxwing_match_at(match, subject, pattern);
    if (end && end != last) {
      count++;
      *is_changed |= add_replacement(match, buffer, subject, end, type);
      subject = last = end;
    } else if (subject < match->end) {
      luaL_addchar(buffer, *subject++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  *rest = subject;
  return count;
}

static int gsub(lua_State *L) {
  size_t count, pattern_count;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &pattern_count);
  int type = lua_type(L, 3);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1);
  luaL_argexpected(
      L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE,
      3, "string/function/table");
  bool is_anchored = *pattern == '^';
  if (is_anchored) {
    pattern++;
    pattern_count--;
  }
  if (type == LUA_TFUNCTION || type == LUA_TTABLE) waxwing_check_stack(L);
  waxwing_match match;
  luaL_Buffer buffer;
  waxwing_match_prepare(&match, L, subject, count, pattern, pattern_count);
  luaL_buffinit(L, &buffer);
  bool is_changed = false;
  const char *rest;
  lua_Integer matches = replace(&match, &buffer, &rest, pattern, most, is_anchored, &is_changed);
  if (is_changed) {
    add(&match, &buffer, rest, (size_t)(match.end - rest));
    luaL_pushresult(&buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  waxwing_match_charge(&match);
  lua_pushinteger(L, matches);
  return 2;
}

/* }================================================================== */

void waxwing_open_matching(lua_State *L) {
  static const waxwing_replacement functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  waxwing_replace(L, functions);
}

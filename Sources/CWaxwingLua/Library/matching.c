/* SPDX-License-Identifier: MIT
 *
 * `string.find`, `match`, `gmatch` and `gsub`. All that they do is charged to the call, plain text
 * is found in linear time, and what `gsub` makes has a limit.
 */
#define _GNU_SOURCE
#include <string.h>

#include "wax_library_private.h"
#include "wax_library_match.h"

#define ESCAPE '%'

/* {==================================================================
** Arguments
** =================================================================== */

/* The first two. */
typedef struct arguments {
  const char *subject, *pattern;
  size_t count, pattern_count;
} arguments;

static arguments check_arguments(lua_State *L) {
  arguments all;
  all.subject = luaL_checklstring(L, 1, &all.count);
  all.pattern = luaL_checklstring(L, 2, &all.pattern_count);
  return all;
}

/* Counted from 0, from an argument that counts from 1 or, negative, from the end. */
static size_t check_start(lua_State *L, int argument, size_t count) {
  lua_Integer position = luaL_optinteger(L, argument, 1);
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)count) return 0;
  return (size_t)((lua_Integer)count + position);
}

/* }================================================================== */

/* {==================================================================
** find and match
** =================================================================== */

/* A pattern without these is a text: a bracket alone means nothing to `find`. */
#define SPECIALS "^$*+?.([%-"

static bool is_plain(const arguments *all) {
  for (size_t at = 0; at <= all->pattern_count; at += strlen(all->pattern + at) + 1)
    if (strpbrk(all->pattern + at, SPECIALS)) return false;
  return true;
}

/* In shorter ones a text is found sooner without preparing anything. */
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

static int fail(lua_State *L) {
  luaL_pushfail(L);
  return 1;
}

static int find_text(lua_State *L, const arguments *all, size_t start) {
  size_t text_count = all->pattern_count;
  const char *found = search(all->subject + start, all->count - start, all->pattern, text_count);
  size_t end = found ? (size_t)(found - all->subject) + text_count : all->count;
  wax_lua_budget_consume(L, (end - start + text_count) >> 4);
  if (!found) return fail(L);
  lua_pushinteger(L, found - all->subject + 1);
  lua_pushinteger(L, (lua_Integer)end);
  return 2;
}

/* Charges all. */
static int push_found(wax_library_match *match, bool is_find) {
  int count = 0;
  if (is_find) {
    wax_library_match_push_position(match, match->whole.start);
    wax_library_match_push_position(match, match->whole.end - 1);
    count = 2;
  }
  count += wax_library_match_push_captures(match, !is_find);
  wax_library_match_consume(match);
  return count;
}

static int find_pattern(lua_State *L, const arguments *all, size_t start,
                        const wax_library_program *program, bool is_find) {
  wax_library_match match;
  wax_library_match_begin(&match, L, program, all->subject, all->count);
  if (wax_library_match_next(&match, all->subject + start, NULL))
    return push_found(&match, is_find);
  wax_library_match_consume(&match);
  return fail(L);
}

static int find(lua_State *L) {
  arguments all = check_arguments(L);
  size_t start = check_start(L, 3, all.count);
  if (start > all.count) return fail(L);
  if (lua_toboolean(L, 4) || is_plain(&all)) return find_text(L, &all, start);
  return find_pattern(L, &all, start, wax_library_compiled_pattern(L, 2, all.pattern, true), true);
}

static int match(lua_State *L) {
  arguments all = check_arguments(L);
  size_t start = check_start(L, 3, all.count);
  if (start > all.count) return fail(L);
  return find_pattern(L, &all, start, wax_library_compiled_pattern(L, 2, all.pattern, true), false);
}

/* }================================================================== */

/* {==================================================================
** gmatch
** =================================================================== */

typedef struct matches {
  const wax_library_program *program;
  const char *subject;
  size_t count;
  const char *next; /* where to look for the next one; NULL: there are no more */
  const char *last; /* where the last one ended */
} matches;

/* Its upvalues are the matches, the subject and the program. */
static int next_match(lua_State *L) {
  matches *all = lua_touserdata(L, lua_upvalueindex(1));
  if (!all->next) return 0;
  wax_library_match match;
  wax_library_match_begin(&match, L, all->program, all->subject, all->count);
  int count = 0;
  if (wax_library_match_next(&match, all->next, all->last)) {
    all->next = all->last = match.whole.end;
    count = wax_library_match_push_captures(&match, true);
  } else {
    all->next = NULL;
  }
  wax_library_match_consume(&match);
  return count;
}

static int gmatch(lua_State *L) {
  arguments all = check_arguments(L);
  size_t start = check_start(L, 3, all.count);
  matches *matches = lua_newuserdatauv(L, sizeof *matches, 0);
  lua_pushvalue(L, 1);
  matches->program = wax_library_compiled_pattern(L, 2, all.pattern, false);
  matches->subject = all.subject;
  matches->count = all.count;
  matches->next = start > all.count ? NULL : all.subject + start;
  matches->last = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* }================================================================== */

/* {==================================================================
** gsub
** =================================================================== */

typedef struct substitution {
  wax_library_match match;
  luaL_Buffer buffer;
  const char *copied; /* up to here the subject, or what replaces it, is in the buffer */
  int type;           /* of the replacement, the third argument */
  const char *text;   /* if it is one */
  size_t count;
  bool is_plain; /* without escapes */
  bool is_changed;
} substitution;

static void check_size(substitution *all, size_t count) {
  if (luaL_bufflen(&all->buffer) + count > WAX_LIBRARY_MAX_BYTES)
    wax_library_raise_too_large(all->match.L, "string.gsub");
  all->match.steps += count >> 4; /* charged with the next one */
}

static void add(substitution *all, const char *text, size_t count) {
  check_size(all, count);
  luaL_addlstring(&all->buffer, text, count);
}

/* Of the subject. */
static void add_span(substitution *all, wax_library_span span) {
  add(all, span.start, (size_t)(span.end - span.start));
}

/* [-1, +0, v]  A string or a number. */
static void add_top(substitution *all) {
  size_t count;
  lua_tolstring(all->match.L, -1, &count);
  check_size(all, count);
  luaL_addvalue(&all->buffer);
}

static void add_capture(substitution *all, int index) {
  wax_library_span span = wax_library_match_capture(&all->match, index);
  if (span.start) {
    add_span(all, span);
  } else {
    wax_library_match_push_position(&all->match, span.end);
    add_top(all);
  }
}

/* The meaning of `%` and this character in a replacement. */
static void add_escape(substitution *all, char kind) {
  if (kind == ESCAPE)
    luaL_addchar(&all->buffer, ESCAPE);
  else if (kind == '0')
    add_span(all, all->match.whole);
  else if (kind >= '1' && kind <= '9')
    add_capture(all, kind - '1');
  else
    luaL_error(all->match.L, "invalid use of '%c' in replacement string", ESCAPE);
}

/* Behind the text is a zero. */
static void add_escaped_text(substitution *all) {
  const char *at = all->text, *end = at + all->count, *escape;
  while ((escape = memchr(at, ESCAPE, (size_t)(end - at))) != NULL) {
    add(all, at, (size_t)(escape - at));
    add_escape(all, escape[1]);
    all->match.steps++;
    at = escape + 2;
    if (at > end) return;
  }
  add(all, at, (size_t)(end - at));
}

/* [-0, +1, e]  What the function or the table has for the match. */
static void push_replacement(substitution *all) {
  lua_State *L = all->match.L;
  if (all->type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, wax_library_match_push_captures(&all->match, true), 1);
  } else {
    wax_library_match_push_capture(&all->match, 0);
    lua_gettable(L, 3);
  }
}

/* The subject up to there. */
static void add_subject(substitution *all, const char *end) {
  add_span(all, (wax_library_span){all->copied, end});
  all->copied = end;
}

/* False: the match stays as it is. */
static bool replace_by_value(substitution *all) {
  lua_State *L = all->match.L;
  push_replacement(all);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  add_top(all);
  return true;
}

static bool replace_by_text(substitution *all) {
  if (all->is_plain)
    add(all, all->text, all->count);
  else
    add_escaped_text(all);
  return true;
}

/* The match that has been found. */
static void replace(substitution *all) {
  add_subject(all, all->match.whole.start);
  bool is_value = all->type == LUA_TFUNCTION || all->type == LUA_TTABLE;
  if (!(is_value ? replace_by_value(all) : replace_by_text(all))) return;
  all->copied = all->match.whole.end;
  all->is_changed = true;
}

/* Returns how many matches there are, `most` at most. */
static lua_Integer replace_all(substitution *all, lua_Integer most) {
  const char *next = all->match.start, *last = NULL;
  lua_Integer count = 0;
  while (count < most && wax_library_match_next(&all->match, next, last)) {
    count++;
    next = last = all->match.whole.end;
    replace(all);
    if (all->match.program->is_anchored) break;
  }
  return count;
}

static void check_replacement(lua_State *L, substitution *all) {
  all->type = lua_type(L, 3);
  luaL_argexpected(L,
                   all->type == LUA_TNUMBER || all->type == LUA_TSTRING ||
                       all->type == LUA_TFUNCTION || all->type == LUA_TTABLE,
                   3, "string/function/table");
  if (all->type == LUA_TFUNCTION || all->type == LUA_TTABLE) {
    wax_lua_check_stack(L);
  } else {
    all->text = lua_tolstring(L, 3, &all->count);
    all->is_plain = !memchr(all->text, ESCAPE, all->count);
  }
}

/* [-0, +1, v] */
static void push_result(substitution *all) {
  if (all->is_changed) {
    add_subject(all, all->match.end);
    luaL_pushresult(&all->buffer);
  } else {
    lua_pushvalue(all->match.L, 1);
  }
}

static int gsub(lua_State *L) {
  arguments arguments = check_arguments(L);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)arguments.count + 1);
  substitution all;
  check_replacement(L, &all);
  const wax_library_program *program = wax_library_compiled_pattern(L, 2, arguments.pattern, true);
  wax_library_match_begin(&all.match, L, program, arguments.subject, arguments.count);
  all.copied = arguments.subject;
  all.is_changed = false;
  luaL_buffinit(L, &all.buffer);
  lua_Integer count = replace_all(&all, most);
  push_result(&all);
  wax_library_match_consume(&all.match);
  lua_pushinteger(L, count);
  return 2;
}

/* }================================================================== */

/* [-0, +0, m]  Each has a cache of programs of its own, which is made when it is called. */
void wax_library_open_matching(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  lua_pushnil(L);
  luaL_setfuncs(L, functions, 1);
}
